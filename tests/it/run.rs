//! The runner: a folder with files, a command line, and everything that came of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a folder holds: files with their bytes; folders end in `/`, links say where they lead.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_sedum");

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Everything below a folder, apart from `.sedum` folders (the run log and the lock).
pub fn files_below(root: &Path) -> Files {
    fn walk(root: &Path, at: &Path, files: &mut Files) {
        let mut entries: Vec<_> = fs::read_dir(at).unwrap().map(Result::unwrap).collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_symlink() {
                let to = fs::read_link(&path).unwrap();
                files.insert(format!("{name} -> {}", to.display()), Vec::new());
            } else if kind.is_dir() {
                if entry.file_name() != ".sedum" {
                    files.insert(format!("{name}/"), Vec::new());
                    walk(root, &path, files);
                }
            } else if kind.is_file() {
                files.insert(name.to_owned(), fs::read(&path).unwrap());
            } else {
                files.insert(format!("{name} (special)"), Vec::new());
            }
        }
    }
    let mut files = Files::new();
    walk(root, root, &mut files);
    files
}

/// A command that is about to run in a folder of its own.
pub struct Run {
    dir: TempDir,
    args: Vec<String>,
    env: Vec<(String, String)>,
}

impl Run {
    /// A command in an empty folder. `{testdata}` in an argument is the repository's folder of that name.
    pub fn new<'a>(args: impl IntoIterator<Item = &'a str>) -> Self {
        let run = Self {
            dir: TempDir::with_prefix("sedum-it-").unwrap(),
            args: Vec::new(),
            env: Vec::new(),
        };
        run.args(args)
    }

    /// More arguments.
    pub fn args<'a>(mut self, args: impl IntoIterator<Item = &'a str>) -> Self {
        let testdata = repository("testdata");
        let args = args.into_iter();
        self.args
            .extend(args.map(|arg| arg.replace("{testdata}", testdata.to_str().unwrap())));
        self
    }

    /// Other arguments.
    pub fn edit_all_args(mut self, args: &[&str]) -> Self {
        self.args = args.iter().map(|&arg| arg.to_owned()).collect();
        self
    }

    /// The arguments with one changed.
    pub fn edit_args(mut self, from: &str, to: &str) -> Self {
        let mut of = self.args.iter_mut().filter(|arg| *arg == from);
        let arg = of.next().expect("the argument");
        assert!(of.next().is_none(), "{from} is there twice");
        to.clone_into(arg);
        self
    }

    /// A variable of the environment.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A file in the folder; missing parents are made.
    pub fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    /// Several files in the folder.
    pub fn files<'a>(self, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        files
            .into_iter()
            .fold(self, |run, (path, text)| run.file(path, text))
    }

    /// A file's text with the one occurrence of `from` changed.
    pub fn edit(self, path: &str, from: &str, to: &str) -> Self {
        let text = fs::read_to_string(self.dir.path().join(path)).unwrap();
        let count = text.matches(from).count();
        assert_eq!(count, 1, "{path} has {from:?} {count} times");
        self.file(path, text.replace(from, to))
    }

    /// A file or folder taken away.
    pub fn without(self, path: &str) -> Self {
        let path = self.dir.path().join(path);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
        self
    }

    /// Anything else that is done to the folder first.
    pub fn set_up(self, work: impl FnOnce(&Path)) -> Self {
        work(self.dir.path());
        self
    }

    /// The command as it will be started.
    pub fn command(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(&self.args)
            .current_dir(self.dir.path())
            .env_clear()
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null());
        for name in ["PATH", "HOME"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs it to its end.
    pub fn go(self) -> Done {
        let before = files_below(self.dir.path());
        let output = self.command().output().unwrap();
        let after = files_below(self.dir.path());
        let real = self.dir.path().canonicalize().unwrap();
        let dirs = [
            (real, "[DIR]"),
            (self.dir.path().to_owned(), "[DIR]"),
            (repository("testdata"), "[TESTDATA]"),
        ];
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("output is UTF-8");
            dirs.iter().fold(text, |text, (dir, placeholder)| {
                text.replace(dir.to_str().unwrap(), placeholder)
            })
        };
        Done {
            status: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
            before,
            after,
            dir: self.dir,
        }
    }

    /// Runs it; it has to succeed without a word on stderr.
    pub fn ok(self) -> Done {
        self.go().succeeded("")
    }

    /// Runs it; it has to be refused. See [`Done::refused`].
    pub fn refused(self, status: i32, saying: &[&str]) -> Done {
        self.go().refused(status, saying)
    }
}

/// A command that has run: its exit status, both outputs whole, and the folder before and after.
pub struct Done {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
    pub before: Files,
    pub after: Files,
    dir: TempDir,
}

impl Done {
    /// Asserts success and exactly this on stderr.
    pub fn succeeded(self, err: &str) -> Self {
        assert_eq!(self.status, Some(0), "{}", self.report());
        assert_eq!(self.err, err);
        self
    }

    /// Asserts the exit status (U3), that stderr carries one `sedum:` message which says each of these, and that
    /// nothing at all was written (C17).
    pub fn refused(self, status: i32, saying: &[&str]) -> Self {
        assert_eq!(self.status, Some(status), "{}", self.report());
        let heads = self.err.lines().filter(|l| l.starts_with("sedum: "));
        let heads = heads.filter(|l| !l.starts_with("sedum: warning: ")).count();
        assert_eq!(heads, 1, "one message: {}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        for text in saying {
            assert!(
                self.err.contains(text),
                "stderr lacks {text:?}:\n{}",
                self.err
            );
        }
        self.wrote_nothing()
    }

    /// Asserts that the folder is as it was.
    pub fn wrote_nothing(self) -> Self {
        assert_eq!(self.before, self.after, "{}", self.report());
        self
    }

    /// Asserts that stdout says each of these.
    pub fn says(self, saying: &[&str]) -> Self {
        for text in saying {
            assert!(
                self.out.contains(text),
                "stdout lacks {text:?}:\n{}",
                self.out
            );
        }
        self
    }

    /// Asserts a file's whole text.
    pub fn wrote(self, path: &str, text: &str) -> Self {
        assert_eq!(self.text(path), text, "{path}");
        self
    }

    /// A file's text.
    pub fn text(&self, path: &str) -> String {
        let bytes = self.after.get(path);
        let bytes = bytes.unwrap_or_else(|| panic!("no {path}:\n{}", self.report()));
        String::from_utf8(bytes.clone()).unwrap()
    }

    /// The files and folders below a folder.
    pub fn below(&self, folder: &str) -> Files {
        let start = format!("{folder}/");
        let of = self
            .after
            .iter()
            .filter_map(|(path, bytes)| Some((path.strip_prefix(&start)?, bytes)));
        of.filter(|(path, _)| !path.is_empty())
            .map(|(path, bytes)| (path.to_owned(), bytes.clone()))
            .collect()
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The next command in the same folder.
    pub fn then<'a>(self, args: impl IntoIterator<Item = &'a str>) -> Run {
        let run = Run {
            dir: self.dir,
            args: Vec::new(),
            env: Vec::new(),
        };
        run.args(args)
    }

    /// Status and outputs, for a snapshot.
    pub fn report(&self) -> String {
        let status = self.status.map_or("none".to_owned(), |s| s.to_string());
        let mut report = format!("status: {status}\n");
        for (name, text) in [("stdout", &self.out), ("stderr", &self.err)] {
            if !text.is_empty() {
                report += &["--- ", name, "\n", text].concat();
            }
        }
        report
    }

    /// The report, and the text of every file below a folder.
    pub fn report_with(&self, folder: &str) -> String {
        let mut report = self.report();
        for (path, bytes) in self.below(folder) {
            let text = String::from_utf8_lossy(&bytes);
            report += &["--- ", folder, "/", &path, "\n", &text].concat();
        }
        report
    }
}
