//! The harness's arithmetic in the default suite, which builds none of the harness (H1): its own tests come with it.

#[allow(dead_code)]
#[path = "../evals/stats.rs"]
mod stats;
