use std::fs;
use std::process::Command;

use super::super::{FILE_LIMIT, TreeError};
use super::{Place, dry};
use crate::tree::{Change, Tree};

#[test]
fn x30_a_file_is_read_once_and_edits_stay_in_memory() {
    let place = Place::new();
    place.write("a/b.txt", "on disk\n");
    let mut tree = place.dry();
    assert_eq!(tree.read("a/b.txt").unwrap(), Some("on disk\n"));
    place.write("a/b.txt", "later\n");
    assert_eq!(tree.read("a/b.txt").unwrap(), Some("on disk\n"));
    tree.stage("a/b.txt", "staged\n".to_owned(), false);
    assert_eq!(tree.read("a/b.txt").unwrap(), Some("staged\n"));
    assert_eq!(tree.text("a/b.txt"), Some("staged\n"));
    assert_eq!(place.text("a/b.txt"), "later\n");
}

#[test]
fn x30_changes_are_real_differences_sorted_by_path() {
    let place = Place::new();
    place.write("same", "1").write("differs", "1");
    let mut tree = place.dry();
    assert_eq!(tree.read("z/new").unwrap(), None);
    assert_eq!(tree.read("never/staged").unwrap(), None);
    tree.stage("z/new", String::new(), false);
    tree.stage("same", "2".to_owned(), false);
    tree.stage("same", "1".to_owned(), false);
    tree.stage("differs", "2".to_owned(), false);
    let differs = Change {
        path: "differs",
        before: Some("1"),
        after: "2",
    };
    let new = Change {
        path: "z/new",
        before: None,
        after: "",
    };
    assert_eq!(tree.changes(), [differs, new]);
    assert!(tree.existed("same") && tree.existed("differs"));
    assert!(!tree.existed("z/new") && !tree.existed("unheard of"));
}

#[test]
fn c22_a_dry_run_creates_nothing_and_commits_nothing() {
    let place = Place::new();
    let mut tree = place.dry();
    tree.stage("a/b", "text".to_owned(), false);
    assert!(tree.commit().unwrap_err().unrestored.is_empty());
    assert_eq!(fs::read_dir(&place.out).unwrap().count(), 0);

    let mut tree = Tree::open(&place.beside("absent"), &dry()).unwrap();
    assert_eq!(tree.read("a/b").unwrap(), None);
    tree.stage("a/b", "text".to_owned(), false);
    assert_eq!(tree.changes().len(), 1);
    drop(tree);
    assert!(!place.beside("absent").exists());
}

#[test]
fn an_output_directory_that_is_no_folder_is_refused() {
    let place = Place::new();
    place.write("file", "").link("nowhere", "absent");
    for name in ["file", "nowhere", "file/below"] {
        let root = place.at(name);
        for options in [dry(), super::writing()] {
            let error = Tree::open(&root, &options).unwrap_err();
            assert!(matches!(error, TreeError::Root { .. }), "{error}");
            assert!(error.to_string().contains(name));
        }
    }
}

#[test]
fn c19_a_folder_in_the_way_is_named() {
    let place = Place::new();
    place.write("a/b/c", "").link("link", "a/b");
    for path in ["a/b", "a", "link"] {
        let error = place.dry().read(path).unwrap_err();
        assert!(matches!(error, TreeError::IsFolder { .. }), "{error}");
        assert!(error.to_string().contains(&format!("`{path}`")));
    }
}

#[test]
fn a_file_where_a_folder_belongs_is_named() {
    let place = Place::new();
    place.write("a/b", "");
    let message = place.refusal("a/b/c/d");
    assert!(
        message.contains("`a/b/c/d`") && message.contains("`a/b`"),
        "{message}"
    );
}

#[test]
fn x33_a_file_that_is_not_utf8_is_refused_by_name() {
    let place = Place::new();
    fs::write(place.at("latin"), b"one\ntw\xf6\n").unwrap();
    let message = place.refusal("latin");
    assert!(message.contains("`latin`"), "{message}");
    assert!(message.contains("line 2, byte offset 6"), "{message}");
}

#[test]
fn x36_a_file_beyond_the_limit_is_refused_unread() {
    let place = Place::new();
    let file = fs::File::create(place.at("huge")).unwrap();
    file.set_len(FILE_LIMIT + 1).unwrap();
    let message = place.refusal("huge");
    assert!(
        message.contains("`huge`") && message.contains("268435456"),
        "{message}"
    );
}

#[test]
fn x32_a_fifo_is_refused_and_does_not_hang() {
    let place = Place::new();
    let made = Command::new("mkfifo")
        .arg(place.at("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    place.link("to-pipe", "pipe");
    for path in ["pipe", "to-pipe"] {
        let message = place.refusal(path);
        assert!(
            message.contains("is a fifo") && message.contains(path),
            "{message}"
        );
    }
}

#[test]
fn x32_a_socket_is_refused() {
    let place = Place::new();
    let _listening = std::os::unix::net::UnixListener::bind(place.at("socket")).unwrap();
    assert!(place.refusal("socket").contains("is a socket"));
}

#[test]
fn x32_links_inside_are_followed() {
    let place = Place::new();
    place
        .write("real/main", "text")
        .write("shelf/deep/x", "deep");
    let absolute = place.at("real/main").display().to_string();
    place
        .link("alias", "real/main")
        .link("menu", "shelf")
        .link("shelf/up", "../real/./main")
        .link("chain", "menu/up")
        .link("absolute", &absolute)
        .link("shelf/deep/home", "../..");
    for path in [
        "alias",
        "menu/up",
        "chain",
        "absolute",
        "shelf/deep/home/real/main",
    ] {
        assert_eq!(place.dry().read(path).unwrap(), Some("text"), "{path}");
    }
    assert_eq!(place.dry().read("menu/deep/x").unwrap(), Some("deep"));
    assert_eq!(place.dry().read("menu/new").unwrap(), None);
}

#[test]
fn x32_dot_dot_in_a_link_is_taken_from_where_the_link_really_lies() {
    let place = Place::new();
    place
        .write("a/b/file", "")
        .write("a/sibling", "right")
        .write("sibling", "wrong");
    place.link("short", "a/b").link("a/b/up", "../sibling");
    assert_eq!(place.dry().read("short/up").unwrap(), Some("right"));
}

#[test]
fn x32_links_that_leave_are_refused_by_name() {
    let place = Place::new();
    fs::create_dir(place.beside("outside")).unwrap();
    fs::write(place.beside("outside/secret"), "secret").unwrap();
    let absolute = place.beside("outside").display().to_string();
    place
        .link("file", "../outside/secret")
        .link("folder", "../outside")
        .link("absolute", &absolute)
        .link("via", "file")
        .link("etc", "/etc");
    for path in [
        "file",
        "folder/secret",
        "folder/new",
        "absolute/secret",
        "via",
        "etc/passwd",
    ] {
        let error = place.dry().read(path).unwrap_err();
        assert!(matches!(error, TreeError::LinkOutside { .. }), "{error}");
        assert!(error.to_string().contains(&format!("`{path}`")));
    }
    // A name that only starts like the output directory's lies outside.
    fs::create_dir(place.beside("out-too")).unwrap();
    let near = place.beside("out-too").display().to_string();
    place.link("near", &near);
    assert!(place.refusal("near/x").contains("leaves"));
}

#[test]
fn x32_dangling_links_and_loops_are_refused() {
    let place = Place::new();
    place
        .link("nowhere", "absent/file")
        .link("a", "b")
        .link("b", "a")
        .link("self", "self/x");
    for path in ["nowhere", "nowhere/file"] {
        let message = place.refusal(path);
        assert!(
            message.contains("`absent/file`, which does not exist"),
            "{message}"
        );
    }
    for path in ["a", "a/file", "self", "self/x"] {
        let error = place.dry().read(path).unwrap_err();
        assert!(matches!(error, TreeError::LinkLoop { .. }), "{error}");
    }
}

#[test]
fn x32_paths_that_leave_are_refused() {
    let place = Place::new();
    fs::write(place.beside("secret"), "secret").unwrap();
    for path in [
        "../secret",
        "/etc/passwd",
        "a/../../secret",
        "",
        ".",
        "C:x",
        "a\\b",
    ] {
        let error = place.dry().read(path).unwrap_err();
        assert!(matches!(error, TreeError::BadPath { .. }), "{error}");
    }
}

#[test]
fn paths_into_the_trees_own_folder_git_and_temporary_names_are_refused() {
    let place = Place::new();
    place.write(".git/config", "").link("vcs", ".git");
    for path in [
        ".sedum/lock",
        ".git/config",
        "a/.GIT/x",
        "vcs/config",
        "a/.sedum-1-2.tmp",
    ] {
        let error = place.dry().read(path).unwrap_err();
        assert!(matches!(error, TreeError::Reserved { .. }), "{error}");
    }
    assert_eq!(place.dry().read("a/.sedum/x").unwrap(), None);
    assert_eq!(place.dry().read(".gitignore").unwrap(), None);
}

#[test]
fn x31_two_paths_to_one_file_are_an_error_naming_both() {
    let place = Place::new();
    place
        .write("real/main", "")
        .link("alias", "real/main")
        .link("folder", "real");
    fs::hard_link(place.at("real/main"), place.at("second")).unwrap();
    for (first, second) in [
        ("alias", "real/main"),
        ("real/main", "folder/main"),
        ("folder/new", "real/new"),
        ("real/main", "second"),
    ] {
        let mut tree = place.dry();
        tree.read(first).unwrap();
        let message = tree.read(second).unwrap_err().to_string();
        assert!(
            message.contains(&format!("`{first}` and `{second}`")),
            "{message}"
        );
        assert!(tree.read(first).is_ok());
    }
}

#[test]
fn one_path_cannot_be_file_and_folder() {
    let place = Place::new();
    for (first, second) in [("a/b", "a/b/c"), ("a/b/c", "a/b"), ("a/b/c/d", "a")] {
        let mut tree = place.dry();
        tree.read(first).unwrap();
        let error = tree.read(second).unwrap_err();
        assert!(matches!(error, TreeError::FileAndFolder { .. }), "{error}");
    }
}

#[test]
fn x37_a_path_too_long_for_the_system_is_an_error() {
    let place = Place::new();
    assert!(place.refusal(&"n".repeat(300)).contains("nnn"));
    assert!(place.refusal(&"d/".repeat(9_000)).contains("d/d"));
    // As long as may be asked for: either it can be written, or nothing is.
    let deep = format!("{}f", "d/".repeat(2_047));
    let mut tree = place.tree();
    tree.stage(&deep, "text".to_owned(), false);
    let before = place.snapshot();
    match tree.commit() {
        Ok(_) => assert_eq!(place.dry().read(&deep).unwrap(), Some("text")),
        Err(error) => {
            assert!(error.unrestored.is_empty(), "{error}");
            assert_eq!(place.snapshot(), before);
        }
    }
}

#[test]
fn y31_many_files_read_at_once_are_as_read_one_by_one() {
    let place = Place::new();
    let mut paths: Vec<String> = (0..200).map(|n| format!("many/f{n}.txt")).collect();
    for (n, path) in paths.iter().enumerate().filter(|(n, _)| n % 3 != 0) {
        place.write(path, &format!("text {n}\n"));
    }
    place.write("real/a.txt", "through a link\n");
    place.link("linked", "real").link("link.txt", "many/f1.txt");
    place.write("file", "").write("many/folder/x", "");
    fs::write(place.at("many/latin.txt"), b"\xe9\n").unwrap();
    let odd = [
        "linked/a.txt",
        "real/a.txt", // the same file as the one before
        "link.txt",   // and as many/f1.txt
        "file",
        "file/below",
        "many/folder",
        "many/latin.txt",
        "many/.sedum-1-2.tmp",
        ".sedum/lock",
        "../out/file",
        "new/a/b.txt",
        "new/a",
        "top.txt",
    ];
    paths.extend(odd.map(str::to_owned));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();

    let mut singly = place.dry();
    let alone: Vec<_> = paths
        .iter()
        .map(|path| singly.read(path).map(drop).map_err(|e| e.to_string()))
        .collect();
    assert_eq!(alone.iter().filter(|one| one.is_err()).count(), 9);
    let mut tree = place.dry();
    let together = tree.read_all(&paths);
    for ((path, one), alone) in paths.iter().zip(together).zip(&alone) {
        let number = one.map_err(|e| e.to_string());
        if let Ok(number) = number {
            assert_eq!(tree.text_of(number), tree.text(path), "{path}");
        }
        assert_eq!(&number.map(drop), alone, "{path}");
    }
    for path in &paths {
        assert_eq!(tree.text(path), singly.text(path), "{path}");
        assert_eq!(tree.existed(path), singly.existed(path), "{path}");
    }
    assert_eq!(tree.text("many/f199.txt"), Some("text 199\n"));
    assert_eq!(tree.text("linked/a.txt"), Some("through a link\n"));
    assert!(!tree.existed("many/f0.txt"));
}

#[test]
fn x30_what_was_read_or_staged_is_not_read_again_with_others() {
    let place = Place::new();
    place.write("a/b.txt", "on disk\n").write("a/c.txt", "c\n");
    let mut tree = place.dry();
    tree.stage("a/b.txt", "staged\n".to_owned(), false);
    let read = tree.read_all(&["a/b.txt", "a/c.txt", "a/c.txt"]);
    assert!(read.iter().all(Result::is_ok));
    assert_eq!(tree.text("a/b.txt"), Some("staged\n"));
    place.write("a/c.txt", "later\n");
    assert!(tree.read_all(&["a/c.txt"]).iter().all(Result::is_ok));
    assert_eq!(tree.text("a/c.txt"), Some("c\n"));
}
