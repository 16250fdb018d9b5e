//! What differs between systems: who a file is, its permission bits, the console, the name of this machine.
//!
//! Everything that asks for a Unix notion goes through here, so that the rest compiles anywhere; `docs/platforms.md` says
//! what follows for people. It decides nothing about any file and opens none in an output tree.

use std::fs::File;
use std::io;
use std::time::SystemTime;

use cap_std::fs::{DirBuilder, Metadata, OpenOptions};

/// Mode of a new folder, before the umask (C1).
#[cfg(unix)]
const FOLDER_MODE: u32 = 0o755;

/// Device and inode: which file this is, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    device: u64,
    number: u64,
}

/// What tells a file from a later state of it without reading it (X35).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    changed: (i64, i64),
    identity: Option<Identity>,
}

impl Stamp {
    /// The stamp of a file as `metadata` shows it.
    pub(crate) fn of(metadata: &Metadata) -> Stamp {
        Stamp {
            length: metadata.len(),
            modified: metadata
                .modified()
                .ok()
                .map(cap_std::time::SystemTime::into_std),
            changed: changed(metadata),
            identity: identity(metadata),
        }
    }

    /// Size in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Last modification, when the file system tells.
    pub(crate) fn modified(&self) -> Option<SystemTime> {
        self.modified
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
pub(crate) fn identity(metadata: &Metadata) -> Option<Identity> {
    use cap_std::fs::MetadataExt;
    Some(Identity {
        device: metadata.dev(),
        number: metadata.ino(),
    })
}

#[cfg(not(unix))]
pub(crate) fn identity(_metadata: &Metadata) -> Option<Identity> {
    None
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> (i64, i64) {
    use cap_std::fs::MetadataExt;
    (metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_metadata: &Metadata) -> (i64, i64) {
    (0, 0)
}

/// How many names a file has; 1 where that cannot be told.
#[cfg(unix)]
pub(super) fn names(metadata: &Metadata) -> u64 {
    use cap_std::fs::MetadataExt;
    metadata.nlink()
}

#[cfg(not(unix))]
pub(super) fn names(_metadata: &Metadata) -> u64 {
    1
}

/// The permission bits of a file, special bits included; `None` where there are none.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
pub(crate) fn mode(metadata: &Metadata) -> Option<u32> {
    use cap_std::fs::MetadataExt;
    Some(metadata.mode() & 0o7777)
}

#[cfg(not(unix))]
pub(crate) fn mode(_metadata: &Metadata) -> Option<u32> {
    None
}

/// The bits that have a program run with the rights of its file's owner or group.
pub(super) const RIGHTS_OF_OWNER: u32 = 0o6000;

/// Who owns a file: user and group.
#[cfg(unix)]
pub(super) fn owner(metadata: &Metadata) -> (u32, u32) {
    use cap_std::fs::MetadataExt;
    (metadata.uid(), metadata.gid())
}

#[cfg(not(unix))]
pub(super) fn owner(_metadata: &Metadata) -> (u32, u32) {
    (0, 0)
}

/// Sets the permission bits of an open file, whatever the umask.
#[cfg(unix)]
pub(crate) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on other systems")]
pub(crate) fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Makes `options` create files with `mode` under the umask.
#[cfg(unix)]
pub(crate) fn create_with_mode(options: &mut OpenOptions, mode: u32) {
    use cap_std::fs::OpenOptionsExt;
    options.mode(mode);
}

#[cfg(not(unix))]
pub(crate) fn create_with_mode(_options: &mut OpenOptions, _mode: u32) {}

/// Makes `options` create files with `mode` under the umask, outside an output directory.
#[cfg(unix)]
pub(crate) fn create_outside_with_mode(options: &mut std::fs::OpenOptions, mode: u32) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(mode);
}

#[cfg(not(unix))]
pub(crate) fn create_outside_with_mode(_options: &mut std::fs::OpenOptions, _mode: u32) {}

/// Whether a file's owner may run it; where files have no such bit, no file has it.
#[cfg(unix)]
pub(crate) fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
pub(crate) fn is_executable(_metadata: &std::fs::Metadata) -> bool {
    false
}

/// Makes the console read escape sequences, and says whether it does. Consoles of other systems always do.
pub(crate) fn console_reads_escapes() -> bool {
    #[cfg(windows)]
    {
        anstyle_query::windows::enable_ansi_colors().unwrap_or(false)
    }
    #[cfg(not(windows))]
    true
}

/// Whether a folder's handle can be waited for until its entries are on the disk.
pub(crate) const SYNCS_FOLDERS: bool = cfg!(unix);

/// Whether a folder can be renamed while somebody has a file in it open.
pub(crate) const RENAMES_FULL_FOLDERS: bool = cfg!(unix);

/// A builder of folders inside the output directory.
pub(crate) fn folder_builder() -> DirBuilder {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use cap_std::fs::DirBuilderExt;
        builder.mode(FOLDER_MODE);
    }
    builder
}

/// A builder of the output directory itself and of what lies above it.
pub(crate) fn root_builder() -> std::fs::DirBuilder {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(FOLDER_MODE);
    }
    builder
}

/// What a file that is neither regular, folder nor link is called in a message.
#[cfg(unix)]
pub(crate) fn kind(metadata: &Metadata) -> &'static str {
    use cap_std::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a fifo"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_block_device() || kind.is_char_device() {
        "a device"
    } else {
        "a special file"
    }
}

#[cfg(not(unix))]
pub(crate) fn kind(_metadata: &Metadata) -> &'static str {
    "a special file"
}

/// The name of this machine, or an empty text when it cannot be told without asking the network.
pub(crate) fn host_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| std::fs::read_to_string("/etc/hostname"))
        .ok()
        .or_else(|| std::env::var("COMPUTERNAME").ok())
        .map(|name| name.trim().to_owned())
        .unwrap_or_default()
}
