//! `install.sh`: what it installs, and that nothing is installed or lost when anything goes wrong (Z5, Z6).
//!
//! Each test has a server with a release of its own and a folder with the tools that the script may find, so that neither
//! this machine's platform nor what is installed on it decides. The release's program is a shell script that prints a
//! version. Building a real archive is `scripts/package.sh`'s.

#![cfg(unix)]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod place;
mod server;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use place::{Place, Release, VERSION};
use server::{Answer, Server};

/// The script's own words about a platform, and the archive that it takes for it (Z5).
#[test]
fn z6_picks_the_platform() {
    for (system, machine, platform) in [
        ("Linux", "x86_64", "linux_amd64"),
        ("Linux", "amd64", "linux_amd64"),
        ("Linux", "aarch64", "linux_arm64"),
        ("Darwin", "x86_64", "darwin_amd64"),
        ("Darwin", "arm64", "darwin_arm64"),
    ] {
        let release = Release::of(platform);
        let server = release.serve();
        let place = Place::new();
        place.fake_uname(system, machine);
        let ran = place.install(&server).run();
        ran.succeeds();
        assert_eq!(place.shown_version(), VERSION, "{system} {machine}");
        assert!(
            server
                .asked()
                .contains(&format!("GET {}", release.asset_path()))
        );
    }
}

/// A shell that macOS translates is told of an Intel processor on an Apple one.
#[test]
fn z6_a_translated_shell_gets_the_native_program() {
    let server = Release::of("darwin_arm64").serve();
    let place = Place::new();
    place.fake_uname("Darwin", "x86_64");
    place.script("sysctl", "echo 1");
    place.install(&server).run().succeeds();
    assert_eq!(place.shown_version(), VERSION);
}

#[test]
fn z6_an_unknown_platform_is_named_before_anything_is_fetched() {
    for (system, machine, named) in [
        ("Plan9", "x86_64", "\"Plan9\""),
        ("Linux", "riscv64", "\"riscv64\""),
        ("Linux", "i686", "\"i686\""),
        ("MINGW64_NT-10.0-22631", "x86_64", "windows_amd64.zip"),
    ] {
        let server = Release::of("linux_amd64").serve();
        let place = Place::new();
        place.fake_uname(system, machine);
        place.has_an_old_program();
        place.install(&server).run().fails(1, &[named]);
        place.is_as_before();
        assert_eq!(server.asked(), Vec::<String>::new(), "{system} {machine}");
    }
}

#[test]
fn z6_a_version_is_taken_with_and_without_v() {
    for version in [VERSION.to_owned(), format!("v{VERSION}")] {
        let release = Release::of("linux_amd64");
        let server = release.serve();
        let place = Place::new();
        let ran = place.install(&server).env("SEDUM_VERSION", &version).run();
        ran.succeeds();
        assert_eq!(place.shown_version(), VERSION);
        let wanted = [
            format!("GET {}/checksums.txt", Release::folder()),
            format!("GET {}", release.asset_path()),
        ];
        assert_eq!(server.asked(), wanted, "`latest` is not asked for");
    }
}

#[test]
fn z6_what_cannot_be_a_version_is_never_part_of_an_address() {
    for version in [
        "latest",
        "v",
        "1.0",
        "../../other/0.3.0",
        "0.3.0/..",
        "0.3.0 x",
        "0.3.0?x",
    ] {
        let server = Release::of("linux_amd64").serve();
        let place = Place::new();
        let ran = place.install(&server).env("SEDUM_VERSION", version).run();
        ran.fails(1, &["is not a version", version]);
        assert_eq!(server.asked(), Vec::<String>::new(), "{version}");
    }
}

/// Without a version, the tag that `latest` leads to counts, by however many steps.
#[test]
fn z6_the_latest_release_is_found_by_redirect() {
    for client in ["curl", "wget"] {
        let mut release = Release::of("linux_amd64");
        let tag = format!("/moved/tag/v{VERSION}");
        release.answer("/latest", Answer::Redirect("/moved/latest".to_owned()));
        release.answer("/moved/latest", Answer::Redirect(tag.clone()));
        release.answer(&tag, Answer::Body(b"a page\n".to_vec()));
        let server = release.serve();
        let place = Place::new();
        if !place.only(&["curl", "wget"], client) {
            continue;
        }
        place
            .install(&server)
            .env("SEDUM_VERSION", "")
            .run()
            .succeeds();
        assert_eq!(place.shown_version(), VERSION, "{client}");
        assert_eq!(server.asked()[0], "HEAD /latest", "{client}");
    }
}

#[test]
fn z6_a_repository_without_a_release_is_an_error() {
    let mut release = Release::of("linux_amd64");
    release.answer("/latest", Answer::Redirect("/".to_owned()));
    release.answer("/", Answer::Body(b"no releases yet\n".to_vec()));
    let server = release.serve();
    let place = Place::new();
    let ran = place.install(&server).env("SEDUM_VERSION", "").run();
    ran.fails(1, &["does not lead to a release", "SEDUM_VERSION"]);

    let server = Server::start([].into());
    let ran = place.install(&server).env("SEDUM_VERSION", "").run();
    ran.fails(1, &["/latest cannot be fetched"]);
}

/// One of curl and wget fetches, one of three programs adds up, and without either there is no installation.
#[test]
fn z6_any_common_tool_does() {
    for (group, what) in [
        (["curl", "wget", ""], "curl"),
        (["sha256sum", "shasum", "openssl"], "checked"),
    ] {
        for tool in group {
            let server = Release::of("linux_amd64").serve();
            let place = Place::new();
            let found = place.only(&group, tool);
            let ran = place.install(&server).run();
            if found {
                ran.succeeds();
                assert_eq!(place.shown_version(), VERSION, "{tool}");
            } else {
                ran.fails(1, &[what, "install"]);
                assert!(!place.program().exists());
            }
        }
    }
}

#[test]
fn z6_every_shell_can_run_it() {
    for shell in ["/bin/sh", "/bin/dash", "/bin/bash", "/bin/zsh"] {
        if fs::exists(shell).unwrap() {
            let server = Release::of("linux_amd64").serve();
            let place = Place::new();
            place.install(&server).shell(shell).run().succeeds();
            assert_eq!(place.shown_version(), VERSION, "{shell}");
        }
    }
}

#[test]
fn z6_a_wrong_checksum_installs_nothing() {
    for (checksums, words) in [
        (
            format!("{}  ASSET\n", "0".repeat(64)),
            ["tampered", "checksums.txt says 0000"],
        ),
        (
            "SUM  other.tar.gz\n".to_owned(),
            ["has no line for", "nothing was installed"],
        ),
        (
            "SUM  xASSET\nSUM  ASSETx\n".to_owned(),
            ["has no line for", "nothing was installed"],
        ),
        (String::new(), ["has no line for", "nothing was installed"]),
        (
            "<html>  ASSET\n".to_owned(),
            ["does not give one SHA-256", "nothing was installed"],
        ),
        (
            "abc123  ASSET\n".to_owned(),
            ["does not give a SHA-256", "nothing was installed"],
        ),
        (
            "SUM  ASSET\nSUM  ASSET\n".to_owned(),
            ["does not give one SHA-256", "nothing was installed"],
        ),
    ] {
        let mut release = Release::of("linux_amd64");
        release.set_checksums(&checksums);
        let server = release.serve();
        let place = Place::new();
        place.has_an_old_program();
        place.install(&server).run().fails(1, &words);
        place.is_as_before();
    }
}

/// `sha256sum --binary` puts an asterisk before the name.
#[test]
fn z6_both_forms_of_a_checksum_line_are_read() {
    let mut release = Release::of("linux_amd64");
    release.set_checksums("SUM *ASSET\n");
    let server = release.serve();
    let place = Place::new();
    place.install(&server).run().succeeds();
    assert_eq!(place.shown_version(), VERSION);
}

#[test]
fn z6_what_is_missing_is_named() {
    for missing in ["asset", "checksums"] {
        let mut release = Release::of("linux_amd64");
        let path = match missing {
            "asset" => release.asset_path(),
            _ => format!("{}/checksums.txt", Release::folder()),
        };
        release.forget(&path);
        let server = release.serve();
        let place = Place::new();
        place.has_an_old_program();
        let ran = place.install(&server).run();
        ran.fails(1, &[&path, "cannot be fetched", &format!("v{VERSION}")]);
        place.is_as_before();
    }
}

#[test]
fn z6_a_download_that_breaks_off_installs_nothing() {
    for client in ["curl", "wget"] {
        let mut release = Release::of("linux_amd64");
        let asset = release.asset_path();
        release.answer(&asset, Answer::Cut(vec![b'x'; 100_000]));
        let server = release.serve();
        let place = Place::new();
        if !place.only(&["curl", "wget"], client) {
            continue;
        }
        place.has_an_old_program();
        place
            .install(&server)
            .run()
            .fails(1, &["cannot be fetched"]);
        place.is_as_before();
    }
}

#[test]
fn z6_a_signal_during_the_download_leaves_nothing_behind() {
    for (signal, status) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let mut release = Release::of("linux_amd64");
        let asset = release.asset_path();
        release.answer(&asset, Answer::Stalled(vec![b'x'; 100_000]));
        let server = release.serve();
        let place = Place::new();
        place.has_an_old_program();
        let started = place.install(&server).start();
        server.wait_for(&format!("GET {asset}"));
        let ran = started.signal(signal);
        ran.fails(status, &["stopped before anything was installed"]);
        place.is_as_before();
    }
}

/// `curl | sh` may hand over the first part of the script only.
#[test]
fn a_script_that_arrives_cut_short_does_nothing() {
    let whole = place::script();
    let server = Release::of("linux_amd64").serve();
    let ends: Vec<_> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    let last = whole.rfind("main \"$@\"").unwrap();
    for end in ends
        .into_iter()
        .filter(|end| *end <= last)
        .step_by(7)
        .chain([last, last + 3])
    {
        let place = Place::new();
        place.install(&server).text(&whole[..end]).run();
        assert_eq!(server.asked(), Vec::<String>::new(), "cut at byte {end}");
        assert!(!place.program().exists());
    }
}

#[test]
fn z6_the_program_goes_to_the_home_folder_when_nothing_is_said() {
    let server = Release::of("linux_amd64").serve();
    let place = Place::new();
    let ran = place.install(&server).env("SEDUM_INSTALL_DIR", "").run();
    ran.succeeds();
    let program = place.home().join(".local/bin/sedum");
    let mode = fs::metadata(&program).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
    ran.warns(&[".local/bin is not on your PATH", "export PATH="]);

    let ran = place
        .install(&server)
        .env("SEDUM_INSTALL_DIR", "")
        .env("HOME", "")
        .run();
    ran.fails(1, &["SEDUM_INSTALL_DIR", "HOME"]);
}

#[test]
fn z6_warns_when_a_shell_would_not_find_it() {
    let server = Release::of("linux_amd64").serve();
    let place = Place::new();
    let bin = place.bin().display().to_string();
    place
        .install(&server)
        .run()
        .warns(&[&bin, "is not on your PATH"]);
    for end in ["", "/"] {
        let ran = place.install(&server).path(&format!("{bin}{end}")).run();
        ran.succeeds();
        assert_eq!(ran.err, "", "nothing to warn of");
    }
    place.script("sedum", "echo 0.2.9");
    let ran = place.install(&server).path(&bin).run();
    ran.warns(&["tools/sedum first", &bin]);
}

#[test]
fn z6_warns_when_the_program_says_another_version() {
    let server = Release::with_program("linux_amd64", "#!/bin/sh\necho sedum 9.8.6\n").serve();
    let place = Place::new();
    let ran = place.install(&server).run();
    ran.warns(&["\"9.8.6\", not 9.8.7"]);
    assert!(place.program().exists());
}

#[test]
fn a_program_that_does_not_run_here_replaces_none_that_does() {
    for program in ["#!/bin/sh\nexit 1\n", "\x7fELF for some other machine"] {
        let server = Release::with_program("linux_amd64", program).serve();
        let place = Place::new();
        place.has_an_old_program();
        place
            .install(&server)
            .run()
            .fails(1, &["does not run on this machine"]);
        place.is_as_before();
    }
}

#[test]
fn an_archive_without_the_program_installs_nothing() {
    for release in [
        Release::with_file("linux_amd64", "README.md"),
        Release::with_link("linux_amd64"),
        Release::with_archive("linux_amd64", b"no archive at all".to_vec()),
    ] {
        let server = release.serve();
        let place = Place::new();
        place.has_an_old_program();
        place
            .install(&server)
            .run()
            .fails(1, &["nothing was installed"]);
        place.is_as_before();
    }
}

#[test]
fn z6_replaces_what_was_there() {
    let server = Release::of("linux_amd64").serve();
    let place = Place::new();
    place.has_an_old_program();
    place.install(&server).run().succeeds();
    assert_eq!(place.shown_version(), VERSION);
    assert_eq!(
        fs::read_dir(place.bin()).unwrap().count(),
        1,
        "nothing beside it"
    );
}

/// Whoever runs the tests as root has every right, so the installer runs as somebody who has none.
#[test]
fn z6_a_folder_that_may_not_be_written_is_named_before_the_download() {
    let server = Release::of("linux_amd64").serve();
    let place = Place::new();
    place.has_an_old_program();
    fs::set_permissions(place.bin(), fs::Permissions::from_mode(0o555)).unwrap();
    let ran = place.install(&server).by_nobody().run();
    ran.fails(
        1,
        &[
            "bin is not a folder that you may write",
            "SEDUM_INSTALL_DIR",
        ],
    );
    fs::set_permissions(place.bin(), fs::Permissions::from_mode(0o755)).unwrap();
    place.is_as_before();
    assert_eq!(server.asked(), Vec::<String>::new());

    let file = place.home().join("file");
    fs::write(&file, "").unwrap();
    for dir in [file.clone(), file.join("below")] {
        let dir = dir.display().to_string();
        let ran = place.install(&server).env("SEDUM_INSTALL_DIR", &dir).run();
        ran.fails(1, &[&dir, "SEDUM_INSTALL_DIR"]);
    }
}

/// What the script reads from the environment is on its page and in its head.
#[test]
fn the_settings_are_documented() {
    let page = fs::read_to_string(place::root().join("docs/installing.md")).unwrap();
    let script = place::script();
    let (head, body) = script.split_once("set -eu").unwrap();
    let mut settings = 0;
    for (at, _) in body.match_indices("${SEDUM_") {
        let name: String = body[at + 2..]
            .chars()
            .take_while(|c| c.is_ascii_uppercase() || *c == '_')
            .collect();
        assert!(
            page.contains(&format!("| `{name}` |")),
            "{name} is not on the page"
        );
        assert!(
            head.contains(&name),
            "{name} is not in the head of the script"
        );
        settings += 1;
    }
    assert!(settings >= 3, "only {settings} settings were found");
}
