use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::super::TreeError;
use super::{Place, dry, writing};
use crate::tree::{Options, Tree};

fn waiting(milliseconds: u64) -> Options {
    Options {
        lock_timeout: Duration::from_millis(milliseconds),
        ..writing()
    }
}

#[test]
fn x34_a_second_run_waits_then_fails_naming_the_holder() {
    let place = Place::new();
    let _first = place.tree();
    let start = Instant::now();
    let error = Tree::open(&place.out, &waiting(150)).unwrap_err();
    assert!(start.elapsed() >= Duration::from_millis(150));
    assert!(matches!(error, TreeError::Locked { .. }), "{error}");
    let message = error.to_string();
    assert!(
        message.contains(&format!("pid {}", std::process::id())),
        "{message}"
    );
    assert!(
        message.contains(" since 2") && message.contains("--lock-timeout"),
        "{message}"
    );
}

#[test]
fn x34_a_second_run_goes_on_once_the_first_has_ended() {
    let place = Place::new();
    let mut first = place.tree();
    let out = place.out.clone();
    let second = std::thread::spawn(move || {
        let mut tree = Tree::open(&out, &waiting(20_000)).unwrap();
        tree.read("a").unwrap().map(ToOwned::to_owned)
    });
    std::thread::sleep(Duration::from_millis(60));
    first.stage("a", "from the first".to_owned(), false);
    first.commit().unwrap();
    assert_eq!(second.join().unwrap().as_deref(), Some("from the first"));
}

#[test]
fn x34_runs_that_share_an_output_directory_made_for_them_follow_each_other() {
    // Each failing run takes the directory away under the others, which must then make it again.
    let place = Place::new();
    let root = place.at("x/y");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let root = &root;
            scope.spawn(move || {
                let mut tree = Tree::open(root, &waiting(20_000)).unwrap();
                tree.stage(&format!("{number}"), "text".to_owned(), false);
                if number % 2 == 0 {
                    tree.commit().unwrap();
                }
            });
        }
    });
    for number in 0..8 {
        assert_eq!(root.join(number.to_string()).exists(), number % 2 == 0);
    }
}

#[test]
fn x34_waiting_ends_when_interrupted() {
    let place = Place::new();
    let _first = place.tree();
    let error =
        Tree::open_unless(&place.out, &waiting(60_000), &AtomicBool::new(true)).unwrap_err();
    assert!(matches!(error, TreeError::Interrupted { .. }), "{error}");
}

#[test]
fn x34_a_dry_run_neither_takes_nor_minds_the_lock() {
    let place = Place::new();
    place.write("a", "text");
    let _first = place.tree();
    let mut second = Tree::open(&place.out, &dry()).unwrap();
    assert_eq!(second.read("a").unwrap(), Some("text"));
}

#[test]
fn a_clean_end_empties_the_lock() {
    let place = Place::new();
    let mut tree = place.tree();
    assert!(place.text(".sedum/lock").starts_with("pid "));
    tree.stage("a", "text".to_owned(), false);
    tree.commit().unwrap();
    assert_eq!(place.text(".sedum/lock"), "");
    drop(place.tree());
    assert_eq!(place.text(".sedum/lock"), "");
}

fn with_leftovers() -> Place {
    let place = Place::new();
    for path in [
        ".sedum-77-1.tmp",
        "a/b/.sedum-77-20.tmp",
        "a/.sedum-78-1.tmp",
    ] {
        place.write(path, "leftover");
    }
    place
        .write("a/.sedum-77-1.tmp.txt", "somebody's own")
        .write(".git/.sedum-77-1.tmp", "git's own");
    fs::create_dir(place.beside("outside")).unwrap();
    fs::write(place.beside("outside/.sedum-77-1.tmp"), "").unwrap();
    place
        .write("a/.sedum-77-5.tmp/b/new", "half a folder")
        .write("a/.sedum-78-5.tmp/new", "another run's")
        .link("a/.sedum-77-5.tmp/link", "../../../outside")
        .link("a/link", "../../outside");
    place
}

fn remaining(place: &Place) -> [bool; 8] {
    [
        ".sedum-77-1.tmp",
        "a/b/.sedum-77-20.tmp",
        "a/.sedum-78-1.tmp",
        "a/.sedum-77-1.tmp.txt",
        ".git/.sedum-77-1.tmp",
        "a/.sedum-77-5.tmp",
        "a/.sedum-78-5.tmp",
        "../outside/.sedum-77-1.tmp",
    ]
    .map(|path| place.at(path).exists())
}

#[test]
fn x31_the_run_after_a_killed_one_sweeps_its_leftovers() {
    let place = with_leftovers();
    place.write(
        ".sedum/lock",
        "pid 77 on somewhere since 2020-01-01T00:00:00Z\n",
    );
    drop(place.tree());
    assert_eq!(
        remaining(&place),
        [false, false, true, true, true, false, true, true]
    );
    assert_eq!(place.text(".sedum/lock"), "");
}

#[test]
fn x31_leftovers_of_a_run_whose_program_id_is_lost_are_swept_too() {
    let place = with_leftovers();
    place.write(".sedum/lock", "pi");
    drop(place.tree());
    assert_eq!(
        remaining(&place),
        [false, false, false, true, true, false, false, true]
    );
}

#[test]
fn x31_nothing_is_swept_after_a_clean_end_or_by_a_dry_run() {
    let place = with_leftovers();
    drop(place.tree());
    assert_eq!(remaining(&place), [true; 8]);
    place.write(
        ".sedum/lock",
        "pid 77 on somewhere since 2020-01-01T00:00:00Z\n",
    );
    drop(place.dry());
    assert_eq!(remaining(&place), [true; 8]);
}

#[test]
fn temporary_names_that_are_taken_are_passed_over() {
    let place = Place::new();
    place.write("a", "old");
    let taken = |n: u32| format!(".sedum-{}-{n}.tmp", std::process::id());
    for number in [1, 2, 4] {
        place.write(&taken(number), "taken");
    }
    let mut tree = place.tree();
    tree.stage("a", "new".to_owned(), false);
    tree.stage("b", "new".to_owned(), false);
    tree.commit().unwrap();
    assert_eq!(
        (place.text("a"), place.text("b")),
        ("new".into(), "new".into())
    );
    assert!(
        [1, 2, 4]
            .iter()
            .all(|&number| place.text(&taken(number)) == "taken")
    );
    assert_eq!(place.snapshot().len(), 5);
}

#[test]
fn a_lock_that_is_no_regular_file_is_refused() {
    for (path, target) in [(".sedum", "elsewhere"), (".sedum/lock", "../file")] {
        let place = Place::new();
        place.write("elsewhere/x", "").write("file", "mine");
        if path != ".sedum" {
            fs::create_dir(place.at(".sedum")).unwrap();
        }
        place.link(path, target);
        let error = Tree::open(&place.out, &writing()).unwrap_err();
        assert!(matches!(error, TreeError::Lock { .. }), "{error}");
        assert_eq!(place.text("file"), "mine");
    }
}

/// A copy of the tree made of hard links, or a trap: the lock file is another file, too.
#[test]
fn a_lock_that_is_another_file_too_is_given_a_file_of_its_own() {
    for text in [
        "somebody's own",
        "pid 77 on somewhere since 2020-01-01T00:00:00Z\n",
    ] {
        let place = with_leftovers();
        place.write("file", text);
        fs::create_dir(place.at(".sedum")).unwrap();
        fs::hard_link(place.at("file"), place.at(".sedum/lock")).unwrap();
        let tree = place.tree();
        assert!(
            place
                .text(".sedum/lock")
                .contains(&format!("pid {} ", std::process::id()))
        );
        assert!(Tree::open(&place.out, &writing()).is_err(), "it holds");
        drop(tree);
        assert_eq!(place.text(".sedum/lock"), "");
        assert_eq!(place.text("file"), text);
        assert!(!remaining(&place)[0], "it was a lock that was left");
    }
}

#[test]
fn x34_runs_that_meet_at_a_lock_with_a_second_name_follow_each_other() {
    for _ in 0..20 {
        let place = Place::new();
        place.write("file", "mine").write("sum", "0");
        fs::create_dir(place.at(".sedum")).unwrap();
        fs::hard_link(place.at("file"), place.at(".sedum/lock")).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let mut tree = Tree::open(&place.out, &waiting(20_000)).unwrap();
                    let sum: u32 = tree.read("sum").unwrap().unwrap().parse().unwrap();
                    tree.stage("sum", (sum + 1).to_string(), false);
                    tree.commit().unwrap();
                });
            }
        });
        assert_eq!((&*place.text("sum"), &*place.text("file")), ("8", "mine"));
    }
}

#[test]
fn a_text_that_no_run_wrote_is_not_shown_as_the_holder_x34() {
    let place = Place::new();
    place.write(".sedum/lock", "a secret\n");
    let held = fs::File::open(place.at(".sedum/lock")).unwrap();
    held.lock().unwrap();
    let error = Tree::open(&place.out, &writing()).unwrap_err().to_string();
    assert!(error.contains("another run works"), "{error}");
    assert!(!error.contains("secret"), "{error}");
}

#[test]
fn a_run_can_be_ended_from_outside_of_it() {
    let place = Place::new();
    let root = place.at("x/y");
    let tree = Tree::open(&root, &writing()).unwrap();
    let release = tree.release().unwrap();
    release.now();
    assert!(
        !place.at("x").exists(),
        "what was made for the lock is gone"
    );
    drop(tree);
    assert!(!place.at("x").exists());
    assert!(place.dry().release().is_none());
}

#[test]
fn x34_the_lock_is_free_at_once_though_a_program_is_being_started() {
    // A program being started has all handles for a moment; the lock must not live on in them.
    let place = Place::new();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                std::process::Command::new("true").status().unwrap();
            }
        });
        let failures = (0..500)
            .filter(|_| Tree::open(&place.out, &writing()).is_err())
            .count();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(failures, 0);
    });
}

#[test]
fn x34_a_run_that_waited_for_the_maker_of_the_directory_makes_it_again() {
    let place = Place::new();
    let root = place.at("x/y");
    let first = Tree::open(&root, &writing()).unwrap();
    let second = std::thread::spawn({
        let root = root.clone();
        move || {
            let mut tree = Tree::open(&root, &waiting(20_000)).unwrap();
            tree.stage("a", "text".to_owned(), false);
            tree.commit().unwrap();
        }
    });
    // Long enough for the second to hold the lock file open that the first then takes away.
    std::thread::sleep(Duration::from_millis(300));
    drop(first);
    second.join().unwrap();
    assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "text");
}
