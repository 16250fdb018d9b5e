//! Merge keys: the entries of other maps in the place of `<<`.
//!
//! Only the entries of one map are looked at; which key is a merge key, and what an alias under it stands for, is
//! settled before.

use std::collections::HashSet;

use super::super::node::{Entry, FEW, Kind};
use super::faults::Faults;
use crate::diag::Span;

/// Puts the entries of the maps under the merge key at `place` in its stead. A key of the map's own wins over a merged
/// one, and of two merged maps the earlier wins. What is no map is passed over, and a fault if anybody wants to know.
pub(super) fn merge(entries: &mut Vec<Entry<'_>>, place: Span, mut faults: Option<&mut Faults>) {
    let Some(position) = entries.iter().position(|e| e.key_span == place) else {
        return;
    };
    let merge = entries.remove(position);
    let sources = match merge.value.kind {
        Kind::List(nodes) => nodes,
        _ => vec![merge.value],
    };
    let mut merged = Vec::new();
    for source in sources {
        if let Kind::Map(from) = source.kind {
            merged.extend(from);
        } else if let Some(faults) = &mut faults {
            let expected = "a map, or a list of maps, under the merge key <<";
            faults.report(source.mismatch(expected));
        }
    }
    keep_firsts(entries, &mut merged);
    entries.splice(position..position, merged);
}

/// Drops every merged entry whose key the map has already, by itself or from an earlier source.
fn keep_firsts(own: &[Entry<'_>], merged: &mut Vec<Entry<'_>>) {
    let firsts: Vec<bool> = if own.len() + merged.len() <= FEW {
        let is_first = |(n, entry): (usize, &Entry<'_>)| {
            let mut before = own.iter().chain(merged.iter().take(n));
            before.all(|earlier| earlier.key != entry.key)
        };
        merged.iter().enumerate().map(is_first).collect()
    } else {
        let mut seen: HashSet<&str> = own.iter().map(|entry| &*entry.key).collect();
        merged.iter().map(|entry| seen.insert(&entry.key)).collect()
    };
    let mut firsts = firsts.into_iter();
    merged.retain(|_| firsts.next().unwrap_or_default());
}
