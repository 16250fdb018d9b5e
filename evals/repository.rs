//! The state of the checkout that a run was made with: commit, and what differs from it (H56, H62, H65).
//!
//! Results do not count on either side: committing the results of one case must not make the next another commit's.

use std::path::Path;
use std::process::Command;

use super::failure::Failure;

/// The state of the checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The last commit that changed anything but results; none outside a repository.
    pub commit: Option<String>,
    /// The paths that differ from it.
    pub dirty: Vec<String>,
}

/// Asks git about the folder `evals` and the repository that it is in.
pub fn state(evals: &Path) -> Result<State, Failure> {
    let git = |args: &[&str]| -> Result<Option<String>, Failure> {
        let output = Command::new("git").arg("-C").arg(evals).args(args).output();
        let output = output.map_err(|e| Failure::failed(format!("git cannot be run: {e}")))?;
        let text = String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned();
        Ok(output.status.success().then_some(text))
    };
    // `:/` is the top of the repository, wherever the command is run.
    let but_results = [":/", ":(exclude)results", ":(exclude)corpus"];
    let with = |first: &[&'static str]| [first, &["--"], &but_results].concat();
    let Some(commit) = git(&with(&["log", "-1", "--format=%H"]))? else {
        return Ok(State::default());
    };
    let differs = git(&with(&["status", "--porcelain"]))?.unwrap_or_default();
    let paths = differs.lines().filter_map(|line| line.get(3..));
    Ok(State {
        commit: Some(commit).filter(|hash| !hash.is_empty()),
        dirty: paths.map(str::to_owned).collect(),
    })
}
