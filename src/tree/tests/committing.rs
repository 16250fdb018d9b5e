use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

use super::super::{CommitFault, Committed};
use super::{Entry, Place, mode, snapshot, writing};
use crate::tree::{Options, Tree};

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

#[test]
fn c17_commit_writes_every_change_and_tells_which() {
    let place = Place::new();
    place.write("a", "old").write("same", "same");
    let mut tree = place.tree();
    for (path, text) in [
        ("z/y/x", "new"),
        ("a", "new"),
        ("same", "same"),
        ("empty", ""),
    ] {
        tree.stage(path, text.to_owned(), false);
    }
    let expected = Committed {
        created: names(&["empty", "z/y/x"]),
        updated: names(&["a"]),
    };
    assert_eq!(tree.commit().unwrap(), expected);
    let texts = ["z/y/x", "a", "same", "empty"].map(|path| place.text(path));
    assert_eq!(texts, ["new", "new", "same", ""]);
    assert_eq!(place.snapshot().len(), 6, "two folders and four files");
}

#[test]
fn x31_a_file_of_another_user_does_not_lend_its_rights_to_this_one() {
    let place = Place::new();
    place.write("a", "old").write("b", "old");
    if std::os::unix::fs::chown(place.at("a"), Some(65_534), Some(65_534)).is_err() {
        // Only a superuser can have both in one folder, and only a superuser has rights to lose by it.
        return;
    }
    let mut tree = place.mode("a", 0o6755).mode("b", 0o6755).tree();
    for path in ["a", "b"] {
        tree.read(path).unwrap();
        tree.stage(path, "new".to_owned(), false);
    }
    tree.commit().unwrap();
    assert_eq!((place.text("a"), place.mode_of("a")), ("new".into(), 0o755));
    assert_eq!(
        (place.text("b"), place.mode_of("b")),
        ("new".into(), 0o6755)
    );
}

#[test]
fn x31_an_existing_file_keeps_its_mode() {
    let place = Place::new();
    let modes = [0o600, 0o644, 0o666, 0o750, 0o444, 0o4755];
    for bits in modes {
        let path = format!("{bits:o}");
        place.write(&path, "old").mode(&path, bits);
    }
    let mut tree = place.tree();
    for bits in modes {
        tree.stage(&format!("{bits:o}"), "new".to_owned(), true);
    }
    tree.commit().unwrap();
    for bits in modes {
        let path = format!("{bits:o}");
        assert_eq!((place.mode_of(&path), &*place.text(&path)), (bits, "new"));
    }
}

/// Run by the next test in a program of its own, since the umask is one for the whole program.
#[test]
#[ignore = "run by c1_new_files_and_folders_have_their_modes_under_the_umask"]
fn writes_three_new_files() {
    let Some(out) = std::env::var_os("TREE_TEST_OUT") else {
        return;
    };
    let mut tree = Tree::open(out.as_ref(), &writing()).unwrap();
    tree.stage("plain", String::new(), false);
    tree.stage("folder/program", String::new(), true);
    tree.commit().unwrap();
}

#[test]
fn c1_new_files_and_folders_have_their_modes_under_the_umask() {
    for (umask, file, program, folder) in [
        ("022", 0o644, 0o755, 0o755),
        ("002", 0o644, 0o755, 0o755),
        ("027", 0o640, 0o750, 0o750),
        ("077", 0o600, 0o700, 0o700),
    ] {
        let place = Place::new();
        let out = place.at("made");
        let status = Command::new("sh")
            .args(["-c", r#"umask "$0" && exec "$@""#, umask])
            .arg(std::env::current_exe().unwrap())
            .args(["--ignored", "writes_three_new_files"])
            .env("TREE_TEST_OUT", &out)
            .output()
            .unwrap()
            .status;
        assert!(status.success());
        assert_eq!(mode(&out.join("plain")), file, "umask {umask}");
        assert_eq!(mode(&out.join("folder/program")), program, "umask {umask}");
        assert_eq!(mode(&out.join("folder")), folder, "umask {umask}");
        assert_eq!(mode(&out), folder, "umask {umask}");
    }
}

#[test]
fn x31_the_file_behind_a_link_is_replaced_and_the_link_stays() {
    let place = Place::new();
    place
        .write("real/main", "old")
        .mode("real/main", 0o640)
        .write("shelf/keep", "");
    place.link("alias", "real/main").link("menu", "shelf");
    let mut tree = place.tree();
    tree.stage("alias", "new".to_owned(), false);
    tree.stage("menu/tea", "tea".to_owned(), false);
    tree.commit().unwrap();
    assert_eq!(
        fs::read_link(place.at("alias")).unwrap().to_str(),
        Some("real/main")
    );
    assert_eq!(
        fs::read_link(place.at("menu")).unwrap().to_str(),
        Some("shelf")
    );
    assert_eq!(
        (place.text("real/main"), place.mode_of("real/main")),
        ("new".into(), 0o640)
    );
    assert_eq!(place.text("shelf/tea"), "tea");
}

#[test]
fn an_output_directory_that_does_not_exist_is_made_for_a_commit_only() {
    let place = Place::new();
    let root = place.at("x/y/z");
    let mut tree = Tree::open(&root, &writing()).unwrap();
    tree.stage("a/b", "text".to_owned(), false);
    drop(tree);
    assert_eq!(fs::read_dir(&place.out).unwrap().count(), 0);

    let mut tree = Tree::open(&root, &writing()).unwrap();
    tree.stage("a/b", "text".to_owned(), false);
    fs::create_dir(root.join("a")).unwrap();
    fs::write(root.join("a/b"), "mine").unwrap();
    assert!(tree.commit().is_err());
    fs::remove_dir_all(&place.out).unwrap();

    let mut tree = Tree::open(&root, &writing()).unwrap();
    tree.stage("a/b", "text".to_owned(), false);
    tree.commit().unwrap();
    assert_eq!(fs::read_to_string(root.join("a/b")).unwrap(), "text");
}

#[test]
fn a_failed_commit_takes_away_the_output_directory_it_made() {
    let place = Place::new();
    let root = place.at("x/y");
    let mut tree = Tree::open(&root, &writing()).unwrap();
    tree.stage("a/b", "text".to_owned(), false);
    let error = tree.commit_unless(&AtomicBool::new(true)).unwrap_err();
    assert!(matches!(error.cause, CommitFault::Interrupted));
    assert_eq!(fs::read_dir(&place.out).unwrap().count(), 0);
}

fn put(place: &Place, path: &str, text: &str) {
    place.write(path, text);
}

/// Stages `changed` and `other`, lets `meddle` work on the disk, and gives the commit's error after having checked that
/// the output directory is as `meddle` left it.
fn refused(place: &Place, meddle: impl FnOnce(&Place)) -> String {
    let mut tree = place.tree();
    tree.stage("changed", "new text".to_owned(), false);
    tree.stage("other/file", "new text".to_owned(), false);
    meddle(place);
    let before = place.snapshot();
    let error = tree.commit().unwrap_err();
    assert_eq!(place.snapshot(), before);
    assert!(error.unrestored.is_empty() && error.leftovers.is_empty());
    let message = error.to_string();
    assert!(
        message.contains("the output tree is as it was"),
        "{message}"
    );
    message
}

#[test]
fn x35_a_file_that_changed_after_it_was_read_is_refused_by_name() {
    for aged in [false, true] {
        // Another size; the same size; away; away and a folder there; away and a link to the same text there.
        let meddlings: [fn(&Place); 5] = [
            |place| put(place, "changed", "much longer"),
            |place| put(place, "changed", "abd"),
            |place| fs::remove_file(place.at("changed")).unwrap(),
            |place| {
                fs::remove_file(place.at("changed")).unwrap();
                fs::create_dir(place.at("changed")).unwrap();
            },
            |place| {
                fs::remove_file(place.at("changed")).unwrap();
                place.write("z", "abc").link("changed", "z");
            },
        ];
        for meddle in meddlings {
            let place = Place::new();
            place.write("changed", "abc");
            if aged {
                place.age("changed");
            }
            let message = refused(&place, meddle);
            assert!(
                message.contains("file `changed` changed on disk"),
                "{message}"
            );
        }
    }
}

#[test]
fn x35_a_change_that_keeps_size_and_time_is_noticed() {
    let place = Place::new();
    place.write("changed", "abc").age("changed");
    let times = fs::metadata(place.at("changed"))
        .unwrap()
        .modified()
        .unwrap();
    let message = refused(&place, |place| {
        place.write("changed", "abd");
        let file = fs::File::options()
            .write(true)
            .open(place.at("changed"))
            .unwrap();
        file.set_modified(times).unwrap();
    });
    assert!(
        message.contains("file `changed` changed on disk"),
        "{message}"
    );
}

#[test]
fn x35_a_new_time_with_the_same_content_is_no_change() {
    let place = Place::new();
    place.write("a", "abc").age("a").write("b", "abc").age("b");
    let mut tree = place.tree();
    tree.stage("a", "new".to_owned(), false);
    tree.stage("b", "new".to_owned(), false);
    let file = fs::File::options().write(true).open(place.at("a")).unwrap();
    file.set_modified(SystemTime::now()).unwrap();
    fs::remove_file(place.at("b")).unwrap();
    place.write("b", "abc");
    tree.commit().unwrap();
    assert_eq!(
        (place.text("a"), place.text("b")),
        ("new".into(), "new".into())
    );
}

#[test]
fn x35_a_file_that_appeared_is_refused_by_name() {
    let place = Place::new();
    let message = refused(&place, |place| put(place, "changed", "mine"));
    assert!(message.contains("file `changed` appeared"), "{message}");
    // Even a link to nothing, and a file where a folder was to be made.
    let place = Place::new();
    let message = refused(&place, |place| {
        place.link("changed", "nowhere");
    });
    assert!(message.contains("file `changed` appeared"), "{message}");
    let place = Place::new();
    let message = refused(&place, |place| put(place, "other", "mine"));
    assert!(message.contains("file `other` appeared"), "{message}");
}

#[test]
fn x35_files_that_are_only_read_may_change() {
    let place = Place::new();
    place.write("read", "old").write("staged back", "old");
    let mut tree = place.tree();
    tree.read("read").unwrap();
    tree.stage("staged back", "old".to_owned(), false);
    tree.stage("new", "new".to_owned(), false);
    place
        .write("read", "changed")
        .write("staged back", "changed");
    tree.commit().unwrap();
    assert_eq!(place.text("staged back"), "changed");
}

#[test]
fn x32_links_changed_between_planning_and_commit_reach_nothing_outside() {
    // A folder becomes a link outside; a folder is moved outside and linked to; a link turns outside.
    let meddlings: [fn(&Place); 4] = [
        |place| {
            fs::rename(place.at("folder"), place.at("was-folder")).unwrap();
            place.link("folder", "../outside");
        },
        |place| {
            fs::rename(place.at("folder"), place.beside("outside/moved")).unwrap();
            place.link("folder", "../outside/moved");
        },
        |place| {
            fs::remove_file(place.at("link")).unwrap();
            place.link("link", "../outside");
        },
        |place| {
            fs::remove_file(place.at("link")).unwrap();
            place.write("elsewhere/x", "").link("link", "elsewhere");
        },
    ];
    for meddle in meddlings {
        let place = Place::new();
        fs::create_dir(place.beside("outside")).unwrap();
        place
            .write("folder/file", "old")
            .write("shelf/file", "old")
            .link("link", "shelf");
        let mut tree = place.tree();
        for path in ["folder/file", "folder/new", "link/file", "link/new"] {
            tree.stage(path, "new".to_owned(), false);
        }
        meddle(&place);
        let before = snapshot(place.out.parent().unwrap());
        let error = tree.commit().unwrap_err();
        let after = snapshot(place.out.parent().unwrap());
        // The emptied lock is all that may differ.
        let strip = |mut all: BTreeMap<_, Entry>| {
            all.remove(std::path::Path::new("out/.sedum/lock"));
            all
        };
        assert_eq!(strip(after), strip(before));
        assert!(error.unrestored.is_empty(), "{error}");
    }
}

#[test]
fn a_staged_path_that_cannot_be_read_fails_the_commit() {
    let place = Place::new();
    fs::create_dir(place.at("folder")).unwrap();
    let mut tree = place.tree();
    tree.stage("good", "text".to_owned(), false);
    tree.stage("folder", "text".to_owned(), false);
    let message = tree.commit().unwrap_err().to_string();
    assert!(message.contains("`folder` is a folder"), "{message}");
    assert!(!place.at("good").exists());
}

#[test]
fn a_user_of_second_names_keeps_the_former_text_under_them() {
    let place = Place::new();
    place.write("a", "old");
    fs::hard_link(place.at("a"), place.beside("outside")).unwrap();
    let mut tree = place.tree();
    tree.stage("a", "new".to_owned(), false);
    tree.commit().unwrap();
    assert_eq!(fs::read_to_string(place.beside("outside")).unwrap(), "old");
    assert_eq!(fs::metadata(place.beside("outside")).unwrap().nlink(), 1);
}

#[test]
fn more_folders_than_may_be_open_at_once_are_committed() {
    let place = Place::new();
    let paths: Vec<String> = (0..3_000).map(|n| format!("{}/{n}/file", n % 7)).collect();
    let mut tree = place.tree();
    for path in &paths {
        tree.stage(path, path.clone(), false);
    }
    assert_eq!(tree.commit().unwrap().created.len(), paths.len());
    let mut tree = place.tree();
    for path in &paths {
        assert_eq!(tree.read(path).unwrap(), Some(&**path));
        tree.stage(path, "again".to_owned(), false);
    }
    assert_eq!(tree.commit().unwrap().updated.len(), paths.len());
    assert!(paths.iter().all(|path| place.text(path) == "again"));
}

#[test]
fn a_synced_commit_writes_the_same() {
    let place = Place::new();
    place.write("a", "old");
    let options = Options {
        sync: true,
        ..writing()
    };
    let mut tree = Tree::open(&place.out, &options).unwrap();
    tree.stage("a", "new".to_owned(), false);
    tree.stage("b/c/d", "new".to_owned(), false);
    tree.commit().unwrap();
    assert_eq!(
        (place.text("a"), place.text("b/c/d")),
        ("new".into(), "new".into())
    );
}

/// `cargo test --release ten_thousand -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stderr, reason = "the figures are what it is for")]
fn ten_thousand_files() {
    let place = Place::new();
    let text = "line\n".repeat(40);
    let measure = |what: &str, paths: &[String], text: &str| {
        let mut tree = place.tree();
        let start = Instant::now();
        for path in paths {
            tree.read(path).unwrap();
            tree.stage(path, text.to_owned(), false);
        }
        let planned = start.elapsed();
        tree.commit().unwrap();
        let total: Duration = start.elapsed();
        eprintln!(
            "{what}: planned in {planned:?}, committed in {:?}",
            total.checked_sub(planned).unwrap()
        );
    };
    let flat: Vec<String> = (0..10_000).map(|n| format!("flat/file_{n}.rb")).collect();
    let deep: Vec<String> = (0..10_000)
        .map(|n| format!("deep/{}/file_{n}.rb", n / 10))
        .collect();
    measure("10,000 new files in one folder", &flat, &text);
    measure(
        "10,000 replaced files in one folder",
        &flat,
        &format!("{text}more\n"),
    );
    measure("10,000 new files in 1,000 new folders", &deep, &text);
}
