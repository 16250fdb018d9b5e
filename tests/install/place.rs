//! Where a test installs: a release to serve, a home, the tools that the script finds, and what came of a run.
//!
//! It says what a release looks like (Z5) and keeps the real machine out; what has to happen is in `main.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::server::{Answer, Server};

/// The version that is served.
pub const VERSION: &str = "9.8.7";

/// What the script may use besides one program that fetches and one that adds up; a bare macOS has all of it.
const TOOLS: [&str; 20] = [
    "awk",
    "cat",
    "chmod",
    "cp",
    "curl",
    "cut",
    "gzip",
    "mkdir",
    "mktemp",
    "mv",
    "openssl",
    "rm",
    "sed",
    "sha256sum",
    "shasum",
    "sh",
    "tail",
    "tar",
    "tr",
    "wget",
];
const OLD_PROGRAM: &str = "#!/bin/sh\necho 0.1.0\n";
/// The user without rights.
const NOBODY: u32 = 65_534;

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn script() -> String {
    fs::read_to_string(root().join("install.sh")).unwrap()
}

/// Where a tool is on this machine.
fn found(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    folders.find_map(|folder| Some(folder.join(tool)).filter(|tool| tool.is_file()))
}

/// A release for one platform, as the releases page serves it.
pub struct Release {
    name: String,
    answers: BTreeMap<String, Answer>,
}

impl Release {
    pub fn of(platform: &str) -> Self {
        Self::with_program(platform, &format!("#!/bin/sh\necho {VERSION}\n"))
    }

    pub fn with_program(platform: &str, program: &str) -> Self {
        Self::packed(platform, |folder| {
            let path = folder.join("sedum");
            fs::write(&path, program).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        })
    }

    /// An archive that holds one file, which is not the program.
    pub fn with_file(platform: &str, name: &str) -> Self {
        Self::packed(platform, |folder| fs::write(folder.join(name), "").unwrap())
    }

    /// An archive whose program is a link to one outside it.
    pub fn with_link(platform: &str) -> Self {
        Self::packed(platform, |folder| {
            symlink("/bin/sh", folder.join("sedum")).unwrap();
        })
    }

    pub fn with_archive(platform: &str, archive: Vec<u8>) -> Self {
        let mut release = Self {
            name: format!("sedum_{VERSION}_{platform}"),
            answers: BTreeMap::new(),
        };
        let asset = release.asset_path();
        release.answer(&asset, Answer::Body(archive));
        release.set_checksums("SUM  ASSET\n");
        release
    }

    fn packed(platform: &str, fill: impl Fn(&Path)) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let name = format!("sedum_{VERSION}_{platform}");
        let folder = scratch.path().join(&name);
        fs::create_dir(&folder).unwrap();
        fill(&folder);
        let archive = scratch.path().join("archive");
        let mut tar = Command::new("tar");
        tar.arg("-czf").arg(&archive).arg("-C").arg(scratch.path());
        assert!(tar.arg(&name).status().unwrap().success());
        Self::with_archive(platform, fs::read(archive).unwrap())
    }

    pub fn folder() -> String {
        format!("/download/v{VERSION}")
    }

    pub fn asset_path(&self) -> String {
        format!("{}/{}.tar.gz", Self::folder(), self.name)
    }

    pub fn answer(&mut self, path: &str, answer: Answer) {
        self.answers.insert(path.to_owned(), answer);
    }

    pub fn forget(&mut self, path: &str) {
        self.answers.remove(path);
    }

    /// `checksums.txt`; `SUM` stands for the archive's checksum and `ASSET` for its name.
    pub fn set_checksums(&mut self, text: &str) {
        let Some(Answer::Body(archive)) = self.answers.get(&self.asset_path()) else {
            panic!("the release has an archive");
        };
        let text = text
            .replace("SUM", &sha256(archive))
            .replace("ASSET", &format!("{}.tar.gz", self.name));
        let path = format!("{}/checksums.txt", Self::folder());
        self.answer(&path, Answer::Body(text.into_bytes()));
    }

    pub fn serve(&self) -> Server {
        Server::start(self.answers.clone())
    }
}

fn sha256(bytes: &[u8]) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("bytes");
    fs::write(&path, bytes).unwrap();
    let mut command = match found("sha256sum") {
        Some(tool) => Command::new(tool),
        None => Command::new("shasum"),
    };
    if found("sha256sum").is_none() {
        command.args(["-a", "256"]);
    }
    let printed = command.arg(path).output().unwrap().stdout;
    String::from_utf8(printed).unwrap()[..64].to_owned()
}

/// A home, a folder to install to, a folder for temporary files and the tools.
pub struct Place {
    dir: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (folder, mode) in [
            ("", 0o755),
            ("bin", 0o755),
            ("home", 0o755),
            ("tmp", 0o777),
            ("tools", 0o755),
        ] {
            let folder = dir.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        }
        let place = Self { dir };
        for tool in TOOLS {
            if let Some(real) = found(tool) {
                symlink(real, place.at("tools").join(tool)).unwrap();
            }
        }
        place.fake_uname("Linux", "x86_64");
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn bin(&self) -> PathBuf {
        self.at("bin")
    }

    pub fn home(&self) -> PathBuf {
        self.at("home")
    }

    pub fn program(&self) -> PathBuf {
        self.bin().join("sedum")
    }

    pub fn fake_uname(&self, system: &str, machine: &str) {
        self.script(
            "uname",
            &format!("case $1 in -s) echo {system} ;; -m) echo {machine} ;; esac"),
        );
    }

    /// A tool of the test's own.
    pub fn script(&self, name: &str, text: &str) {
        // Written by another program: a file that this one has open for writing cannot be run, and a test beside this one
        // may start a program, with all open files, at that moment.
        let write = Command::new("/bin/sh")
            .args([
                "-c",
                "printf '%s\\n' '#!/bin/sh' \"$1\" >\"$0\" && chmod 755 \"$0\"",
            ])
            .arg(self.at("tools").join(name))
            .arg(text)
            .status();
        assert!(write.unwrap().success());
    }

    /// Takes all tools of a group away but one; whether this machine has that one.
    pub fn only(&self, group: &[&str], kept: &str) -> bool {
        for tool in group
            .iter()
            .filter(|tool| **tool != kept && !tool.is_empty())
        {
            let _ = fs::remove_file(self.at("tools").join(tool));
        }
        !kept.is_empty() && self.at("tools").join(kept).exists()
    }

    pub fn has_an_old_program(&self) {
        fs::write(self.program(), OLD_PROGRAM).unwrap();
    }

    /// The old program is there, whole and alone, and no temporary file is left.
    pub fn is_as_before(&self) {
        let names: Vec<_> = fs::read_dir(self.bin())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["sedum"]);
        assert_eq!(fs::read_to_string(self.program()).unwrap(), OLD_PROGRAM);
        self.left_nothing();
    }

    fn left_nothing(&self) {
        let left: Vec<_> = fs::read_dir(self.at("tmp"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(left, Vec::<PathBuf>::new(), "temporary files");
    }

    /// What the installed program answers to `--version`.
    pub fn shown_version(&self) -> String {
        self.left_nothing();
        let output = Command::new(self.program())
            .arg("--version")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// An installation that is about to run.
    pub fn install(&self, server: &Server) -> Install {
        let tools = self.at("tools").display().to_string();
        let setting = |name: &str, value: &Path| (name.to_owned(), value.display().to_string());
        let env = BTreeMap::from([
            setting("HOME", &self.home()),
            setting("TMPDIR", &self.at("tmp")),
            setting("SEDUM_INSTALL_DIR", &self.bin()),
            ("SEDUM_BASE_URL".to_owned(), server.url("")),
            ("SEDUM_VERSION".to_owned(), VERSION.to_owned()),
            ("PATH".to_owned(), tools),
        ]);
        Install {
            shell: "/bin/sh".to_owned(),
            text: script(),
            env,
            nobody: false,
            folder: self.at("tmp").parent().unwrap().to_owned(),
        }
    }
}

pub struct Install {
    shell: String,
    text: String,
    env: BTreeMap<String, String>,
    nobody: bool,
    folder: PathBuf,
}

impl Install {
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Adds a folder to the end of PATH.
    pub fn path(self, folder: &str) -> Self {
        let tools = self.env["PATH"].clone();
        self.env("PATH", &format!("{tools}:{folder}"))
    }

    pub fn shell(mut self, shell: &str) -> Self {
        shell.clone_into(&mut self.shell);
        self
    }

    /// Another script than the whole one.
    pub fn text(mut self, text: &str) -> Self {
        text.clone_into(&mut self.text);
        self
    }

    pub fn by_nobody(mut self) -> Self {
        self.nobody = true;
        self
    }

    pub fn start(self) -> Started {
        let script = self.folder.join("install.sh");
        fs::write(&script, self.text).unwrap();
        let mut command = Command::new(self.shell);
        command.arg(script).env_clear().envs(self.env);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let is_root = fs::metadata("/proc/self").is_ok_and(|me| {
            use std::os::unix::fs::MetadataExt as _;
            me.uid() == 0
        });
        if self.nobody && is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        Started(command.spawn().unwrap())
    }

    pub fn run(self) -> Ran {
        self.start().ended()
    }
}

pub struct Started(Child);

impl Started {
    pub fn signal(self, name: &str) -> Ran {
        let pid = self.0.id().to_string();
        let kill = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(kill.unwrap().success());
        self.ended()
    }

    fn ended(self) -> Ran {
        let output = self.0.wait_with_output().unwrap();
        Ran {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// What came of an installation.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn succeeds(&self) {
        assert_eq!(self.status, Some(0), "{self:?}");
        assert!(self.out.contains("sedum: installed "), "{self:?}");
        assert!(!self.err.contains("error"), "{self:?}");
    }

    pub fn warns(&self, words: &[&str]) {
        self.succeeds();
        self.says("sedum: warning: ", words);
    }

    pub fn fails(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert!(!self.out.contains("sedum: installed "), "{self:?}");
        self.says("sedum: error: ", words);
    }

    fn says(&self, start: &str, words: &[&str]) {
        let line = self.err.lines().find(|line| line.starts_with(start));
        let line = line.unwrap_or_else(|| panic!("no line starts with {start:?}: {self:?}"));
        for word in words {
            assert!(line.contains(word), "{word:?} is not in {line:?}");
        }
    }
}
