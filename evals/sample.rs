//! What is stored of a run: its head, its samples, and scores that were given later (H55-H58).
//!
//! Plain data with one spelling. A field that was not observed is left out, never filled (H59). New fields may be added,
//! none is renamed or given another meaning.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::case::{Arm, ModelRow};
use super::digest;
use super::verdict::Broken;

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// One line of a case's file of results.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Line {
    /// A run begins, or is taken up again.
    Run(Box<Head>),
    /// A sample is done.
    Sample(Box<Sample>),
    /// A sample was scored anew from its stored answers.
    Score(Box<Rescored>),
}

/// What all samples of a run have in common (H56).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The run's id: the same for what would have to be the same run.
    pub run: String,
    /// The case.
    pub case: String,
    /// The model.
    pub model: ModelRow,
    /// The arm.
    pub arm: Arm,
    /// What was varied on purpose.
    pub factors: Factors,
    /// Re-prompts after a rejected answer (H20).
    pub retries: u32,
    /// How much the run set out to say (H17).
    pub resolution: Resolution,
    /// How many samples it set out for.
    pub planned: u32,
    /// How many samples were asked for at once.
    pub jobs: usize,
    /// The most tokens of one answer.
    pub max_completion_tokens: u64,
    /// The version of the library.
    pub tool: String,
    /// The commit of everything but results.
    pub commit: Option<String>,
    /// Whether nothing but results differed from it.
    pub clean: bool,
    /// What differed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dirty: Vec<String>,
    /// The fixture with its expectations.
    pub digest: String,
    /// The fixture as far as verdicts depend on it.
    pub material: String,
    /// Where the model was asked, without credentials.
    pub endpoint: String,
    /// The name that was sent.
    pub asked_for: String,
    /// What the server says about its model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reported: Option<Json>,
    /// When it began, UTC.
    pub time: String,
}

/// What is varied on purpose; every axis is told even where it has one value (H10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factors {
    /// Whether answers were held to a schema.
    pub response_schema: bool,
    /// Whether the catalog was not narrowed.
    pub full_catalog: bool,
    /// The temperature.
    pub temperature: f64,
    /// The seed of the first sample, each further one having the next; none was sent without it.
    pub seed: Option<u64>,
    /// `each`: sample n has wording n; a number: all have that one.
    pub wording: String,
    /// The seed by which the catalog was shuffled, each sample in an order of its own.
    pub shuffle: Option<u64>,
}

impl Factors {
    /// The wording of a sample, from 1, of so many that there are.
    pub fn wording_of(&self, sample: u32, count: usize) -> usize {
        match self.wording.parse::<usize>() {
            Ok(fixed) => fixed,
            Err(_) => (sample.max(1) as usize - 1) % count.max(1) + 1,
        }
    }

    /// The seed of a sample.
    pub fn seed_of(&self, sample: u32) -> Option<u64> {
        Some(self.seed?.wrapping_add(u64::from(sample.max(1)) - 1))
    }

    /// What differs from a plain run, for names and headings; `plain` when nothing does.
    pub fn label(&self) -> String {
        let mut parts = Vec::new();
        if self.response_schema {
            parts.push("schema".to_owned());
        }
        if self.full_catalog {
            parts.push("full".to_owned());
        }
        if self.temperature != 0.0 {
            parts.push(format!("t{}", self.temperature));
        }
        if self.wording != "each" {
            parts.push(format!("w{}", self.wording));
        }
        if let Some(seed) = self.shuffle {
            parts.push(format!("shuffled{seed}"));
        }
        if parts.is_empty() {
            "plain".to_owned()
        } else {
            parts.join("-")
        }
    }
}

/// How much a run may be made to say (H17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Resolution {
    /// 2 samples: whether it works at all. Never a measurement (H18).
    Smoke,
    /// 5 samples.
    Coarse,
    /// 30 samples.
    Fine,
}

impl Resolution {
    /// The least number of samples.
    pub fn samples(self) -> u32 {
        match self {
            Self::Smoke => 2,
            Self::Coarse => 5,
            Self::Fine => 30,
        }
    }

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Coarse => "coarse",
            Self::Fine => "fine",
        }
    }
}

/// How a sample ended (H22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// An answer was accepted.
    Valid,
    /// The model answered and no answer was accepted.
    Invalid,
    /// The model was not reached: outside every denominator.
    Failed,
}

impl Outcome {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Failed => "failed",
        }
    }
}

/// One sample, whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// Its run.
    pub run: String,
    /// Its number, from 1.
    pub n: u32,
    /// When it ended, UTC.
    pub time: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Which wording was asked.
    pub wording: usize,
    /// The seed that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// 12 digits over the first messages and the schema.
    pub prompt: String,
    /// Every call in order.
    pub attempts: Vec<Attempt>,
    /// Time of all calls.
    pub wall_ms: u64,
    /// What was selected in the end, of an accepted answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<Json>,
    /// 12 digits over the files that were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// Why nothing was made, or what the transport said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What it was scored as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
}

/// One call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// `select`, `correct` after a rejection, `complete` about empty anchors, `write` in the baseline arm.
    pub purpose: String,
    /// The conversation as it was sent: who, and the digest of what.
    pub messages: Vec<Said>,
    /// The digest of the schema that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The digest of the answer's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What the server gave as the reason of the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Whether the answer ran into its cap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// How long the call took.
    pub latency_ms: u64,
    /// Tokens of prompt and answer, as reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The list that the answer decodes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoded: Option<Json>,
    /// The rules that it breaks, in order, repeats kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Broken>,
    /// What the transport said when there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// The digest of the text.
    pub text: String,
}

/// Token counts as a server reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Of the prompt.
    pub prompt: u64,
    /// Of the answer.
    pub completion: u64,
}

/// A sample's scores; `None` is "not defined here" or "not observed", never "no".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scores {
    /// Yes or no, by signal.
    pub signals: BTreeMap<String, bool>,
    /// How often each action was selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<BTreeMap<String, u32>>,
    /// The kwargs that were scored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<BoundScore>,
    /// The anchors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchors: Option<AnchorScore>,
    /// The files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<WrittenScore>,
    /// Whether each file parses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syntax: Option<Vec<SyntaxScore>>,
}

/// One kwarg of one selected invocation against what was expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundScore {
    /// The action.
    pub action: String,
    /// The value of its key.
    pub key: Json,
    /// The kwarg.
    pub kwarg: String,
    /// What would have been right.
    pub want: Vec<Json>,
    /// What was bound; none for a kwarg that was left out.
    pub got: Option<Json>,
    /// Whether that is right.
    pub right: bool,
}

/// Which of the anchors that some action fills were filled (H35).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnchorScore {
    /// `path @anchor`.
    pub filled: Vec<String>,
    /// `path @anchor`.
    pub missed: Vec<String>,
}

/// Which of the record's files were made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenScore {
    /// Made.
    pub files: Vec<String>,
    /// Not made.
    pub missing: Vec<String>,
    /// Given by the model and not the record's.
    pub refused: Vec<String>,
}

/// Whether a file parses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyntaxScore {
    /// The file.
    pub path: String,
    /// None when the checker is not on the machine (H36).
    pub ok: Option<bool>,
    /// What the checker said of one that does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Scores of a sample by a later state of cases and code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rescored {
    /// The run.
    pub run: String,
    /// The sample.
    pub n: u32,
    /// When, UTC.
    pub time: String,
    /// The commit that scored.
    pub commit: Option<String>,
    /// The fixture that it was scored by.
    pub digest: String,
    /// The scores.
    pub scores: Scores,
}

impl Head {
    /// The id of a run: the case and eight digits over whatever must not differ within a run. Short, because a report
    /// names every run many times; fit for a file's name.
    pub fn identify(&self) -> String {
        let plain = |text: &str| -> String {
            let kept = text.chars().map(|c| match c {
                'a'..='z' | '0'..='9' | '.' | '-' => c,
                'A'..='Z' => c.to_ascii_lowercase(),
                _ => '-',
            });
            kept.collect()
        };
        let identity = serde_json::json!([
            self.case,
            self.model,
            self.arm,
            self.factors,
            self.retries,
            self.commit,
            self.dirty.is_empty(),
            self.digest,
            self.max_completion_tokens,
            self.tool
        ]);
        let digest = digest::short(&identity.to_string());
        format!(
            "{}.{}",
            plain(&self.case),
            digest.get(..8).unwrap_or_default()
        )
    }
}
