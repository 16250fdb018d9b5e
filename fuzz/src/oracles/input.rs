//! An input as text in parts, so that every crash that is kept can be read and edited.

/// The line between two parts.
const BETWEEN: &str = "\n%%\n";

/// The text of an input; what is not UTF-8 is replaced. `None` when it is longer than a naive model can bear.
pub fn text(data: &[u8], longest: usize) -> Option<String> {
    (data.len() <= longest).then(|| String::from_utf8_lossy(data).into_owned())
}

/// The first `N` parts of a text; the last takes all that is left, and one that is missing is empty.
pub fn parts<const N: usize>(text: &str) -> [&str; N] {
    let mut all = text.splitn(N, BETWEEN);
    std::array::from_fn(|_| all.next().unwrap_or_default())
}

/// An input of these parts.
pub fn join(parts: &[&str]) -> Vec<u8> {
    parts.join(BETWEEN).into_bytes()
}
