//! The records of a run together: which paths they authorise (J20), and which path several of them name (R18).

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use thiserror::Error;

use super::model::Record;
use crate::diag::quoted;
use crate::pattern::scope::{Entry, ScopeSet};

/// The records of a run, indexed by path. It is not to be changed once it is made.
#[derive(Clone, Debug, Default)]
pub struct RecordSet {
    /// In the order of their ids (R16).
    pub records: Vec<Record>,
    /// For each literal path the indices of the records that name it, ascending.
    by_path: HashMap<String, Vec<usize>>,
    /// The records that have patterns, ascending.
    with_patterns: Vec<usize>,
    /// All patterns of all records: tells at once that nobody covers a path.
    patterns: ScopeSet,
    /// All forbidden entries of all records: tells at once that nobody forbids a path.
    forbidden: ScopeSet,
}

/// Why the records do not authorise a path; the message names the path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unauthorised {
    /// No record covers it.
    #[error("path {} is authorised by no record: it stands in no affected_scope", quoted(.path))]
    Uncovered {
        /// The path.
        path: String,
    },
    /// A record covers it and forbids it.
    #[error(
        "path {} is forbidden by record {}, which covers it: its forbidden_scope has {}",
        quoted(.path), quoted(.record), quoted(.entry)
    )]
    Forbidden {
        /// The path.
        path: String,
        /// The id of the record.
        record: String,
        /// The forbidding entry.
        entry: String,
    },
}

impl RecordSet {
    /// Puts records in the order of their ids and indexes them.
    pub fn new(mut records: Vec<Record>) -> RecordSet {
        records.sort_by(|a, b| a.id.cmp(&b.id));
        let mut by_path: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, record) in records.iter().enumerate() {
            for named in &record.paths {
                by_path.entry(named.path.clone()).or_default().push(index);
            }
        }
        let with_patterns = records.iter().enumerate();
        RecordSet {
            by_path,
            with_patterns: with_patterns
                .filter(|(_, record)| !record.patterns.is_empty())
                .map(|(index, _)| index)
                .collect(),
            patterns: union(records.iter().map(|record| &record.patterns)),
            forbidden: union(records.iter().map(|record| &record.forbidden)),
            records,
        }
    }

    /// Whether the records authorise `path`, a cleaned path: some record covers it, and none that covers it forbids it
    /// (J20). What a record forbids without covering it says nothing (R13). Of several records that forbid it, the first
    /// by id is named.
    pub fn authorise(&self, path: &str) -> Result<(), Unauthorised> {
        let named_by = self.by_path.get(path).map_or(&[][..], Vec::as_slice);
        let fits_pattern = self.patterns.first_match(path).is_some();
        if named_by.is_empty() && !fits_pattern {
            return Err(Unauthorised::Uncovered {
                path: path.to_owned(),
            });
        }
        if self.forbidden.first_match(path).is_none() {
            return Ok(());
        }
        // A record never forbids what it names itself (R12), so only patterns can cover what their record forbids.
        let forbidding = self.with_patterns.iter().find_map(|index| {
            let record = self.records.get(*index)?;
            let entry = record.forbids(path)?;
            record.covers(path).then_some((record, entry))
        });
        match forbidding {
            None => Ok(()),
            Some((record, entry)) => Err(Unauthorised::Forbidden {
                path: path.to_owned(),
                record: record.id.clone(),
                entry: entry.to_owned(),
            }),
        }
    }

    /// The literal paths that several records name, sorted, each with the ids of those records, sorted (R18).
    pub fn shared_paths(&self) -> Vec<(String, Vec<String>)> {
        let id = |index: &usize| self.records.get(*index).map(|record| record.id.clone());
        let mut shared: Vec<_> = self
            .by_path
            .iter()
            .filter(|(_, named_by)| named_by.len() > 1)
            .map(|(path, named_by)| (path.clone(), named_by.iter().filter_map(id).collect()))
            .collect();
        shared.sort_unstable();
        shared
    }
}

/// The entries of all the sets, each text once.
fn union<'s>(sets: impl Iterator<Item = &'s ScopeSet>) -> ScopeSet {
    let mut seen = HashSet::new();
    let mut entries: Vec<Entry> = Vec::new();
    for entry in sets.flat_map(ScopeSet::entries) {
        if seen.insert(entry.text()) {
            entries.push(entry.clone());
        }
    }
    ScopeSet::new(entries)
}

#[cfg(test)]
mod tests {
    use super::super::read::read_all;
    use super::*;
    use crate::diag::Source;
    use proptest::prelude::*;

    fn record(yaml: &str) -> Record {
        let draft = read_all(&Source::new("r.yml", yaml));
        assert!(draft.problems.is_empty(), "{:?}", draft.problems);
        draft.record.unwrap()
    }

    fn set(records: &[&str]) -> RecordSet {
        RecordSet::new(records.iter().map(|yaml| record(yaml)).collect())
    }

    #[test]
    fn r16_records_stand_in_the_order_of_their_ids() {
        let set = set(&["id: b", "id: a", "id: B"]);
        let ids: Vec<&str> = set.records.iter().map(|r| r.id.as_str()).collect();
        assert_eq!(ids, ["B", "a", "b"]);
    }

    #[test]
    fn j20_a_path_needs_a_record_that_covers_it_and_does_not_forbid_it() {
        let set = set(&[
            "{id: A, affected_scope: [a.rb, 'lib/**'], forbidden_scope: [lib/secret/, other.rb]}",
            "{id: B, affected_scope: [lib/secret/b.rb, other.rb]}",
        ]);
        assert_eq!(set.authorise("a.rb"), Ok(()));
        assert_eq!(set.authorise("lib/x/y.rb"), Ok(()));
        assert_eq!(
            set.authorise("b.rb"),
            Err(Unauthorised::Uncovered {
                path: "b.rb".to_owned()
            })
        );
        // B names the file, but A covers it by `lib/**` and forbids it.
        let denied = set.authorise("lib/secret/b.rb").unwrap_err().to_string();
        assert!(denied.contains("\"A\"") && denied.contains("\"lib/secret/\""));
        // R13: A forbids `other.rb` without covering it, which leaves B's path alone.
        assert_eq!(set.authorise("other.rb"), Ok(()));
    }

    #[test]
    fn r18_shared_paths_come_with_the_ids_of_all_that_name_them() {
        let set = set(&[
            "{id: B, affected_scope: [x.rb, z.rb, b.rb]}",
            "{id: A, affected_scope: [./z.rb, x.rb]}",
            "{id: C, affected_scope: ['*.rb', x.rb]}",
        ]);
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            set.shared_paths(),
            [
                ("x.rb".to_owned(), owned(&["A", "B", "C"])),
                ("z.rb".to_owned(), owned(&["A", "B"])),
            ]
        );
    }

    fn scope() -> impl Strategy<Value = Vec<&'static str>> {
        let entry =
            prop::sample::select(vec!["a", "b", "x/a", "x/b", "x/", "**", "*", "x/*", "**/a"]);
        prop::collection::vec(entry, 0..4)
    }

    proptest! {
        /// J20 as it reads, record by record.
        #[test]
        fn the_index_says_what_each_record_says(
            scopes in prop::collection::vec((scope(), scope()), 0..5),
            path in prop::sample::select(vec!["a", "b", "c", "x/a", "x/b", "x/y/a", "x"]),
        ) {
            let mut records = Vec::new();
            for (n, (affected, forbidden)) in scopes.iter().enumerate() {
                let yaml = format!("{{id: r{n}, affected_scope: {affected:?}, forbidden_scope: {forbidden:?}}}");
                let draft = read_all(&Source::new("r.yml", yaml));
                // R12 refuses those whose own path is forbidden.
                if draft.problems.is_empty() {
                    records.extend(draft.record);
                }
            }
            let covering: Vec<&Record> = records.iter().filter(|r| r.covers(path)).collect();
            let expected = !covering.is_empty() && covering.iter().all(|r| r.forbids(path).is_none());
            let set = RecordSet::new(records.clone());
            prop_assert_eq!(set.authorise(path).is_ok(), expected);
        }
    }
}
