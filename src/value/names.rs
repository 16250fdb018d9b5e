//! Names with what is bound to them.
//!
//! A run holds many thousands of these, each of a few names: one sorted list is a fraction of a tree's size, and is
//! searched as fast. It knows nothing of what a name stands for.

use std::fmt;

/// Names with what is bound to them, in the order of the names; each name once.
#[derive(Clone, PartialEq, Eq)]
pub struct Names<T>(Vec<(String, T)>);

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// As a map is shown.
impl<T: fmt::Debug> fmt::Debug for Names<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T> Names<T> {
    /// No names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        let at = self.place(name).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    /// A name as it is held, with its value.
    pub fn get_key_value(&self, name: &str) -> Option<(&String, &T)> {
        let at = self.place(name).ok()?;
        self.0.get(at).map(|(name, value)| (name, value))
    }

    /// Whether a name is bound.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Binds a name; gives back the value that it had. Many names at once are cheaper by `collect`.
    pub fn insert(&mut self, name: String, value: T) -> Option<T> {
        match self.place(&name) {
            Ok(at) => {
                let (_, bound) = self.0.get_mut(at)?;
                Some(std::mem::replace(bound, value))
            }
            Err(at) => {
                self.0.insert(at, (name, value));
                None
            }
        }
    }

    /// Takes a name out; gives back the value that it had.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        let at = self.place(name).ok()?;
        Some(self.0.remove(at).1)
    }

    /// Keeps the names of which this says so.
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| is_kept(name));
    }

    /// The names, in order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(name, _)| name)
    }

    /// The values, in the order of their names.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The names with their values, in order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &T)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// Pairs in any order as names; of a name that is given more than once the last value counts.
    fn settled(mut list: Vec<(String, T)>) -> Self {
        if !list.is_sorted_by(|a, b| a.0 < b.0) {
            list.reverse();
            list.sort_by(|a, b| a.0.cmp(&b.0));
            list.dedup_by(|earlier, last| earlier.0 == last.0);
        }
        list.shrink_to_fit();
        Self(list)
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(bound, _)| bound.as_str().cmp(name))
    }
}

/// Of a name that is given more than once the last value counts.
impl<T> FromIterator<(String, T)> for Names<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(pairs: I) -> Self {
        Self::settled(pairs.into_iter().collect())
    }
}

/// Of a name that is given more than once the last value counts.
impl<T> Extend<(String, T)> for Names<T> {
    fn extend<I: IntoIterator<Item = (String, T)>>(&mut self, pairs: I) {
        let mut list = std::mem::take(&mut self.0);
        list.extend(pairs);
        *self = Self::settled(list);
    }
}

impl<T, const N: usize> From<[(String, T); N]> for Names<T> {
    fn from(pairs: [(String, T); N]) -> Self {
        pairs.into_iter().collect()
    }
}

impl<'b, T> IntoIterator for &'b Names<T> {
    type Item = (&'b String, &'b T);
    type IntoIter =
        std::iter::Map<std::slice::Iter<'b, (String, T)>, fn(&'b (String, T)) -> Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

impl<T> IntoIterator for Names<T> {
    type Item = (String, T);
    type IntoIter = std::vec::IntoIter<(String, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
impl<T> std::ops::Index<&str> for Names<T> {
    type Output = T;

    fn index(&self, name: &str) -> &T {
        self.get(name).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_the_last_value_counts() {
        let pairs = [("b", "1"), ("a", "2"), ("b", "3"), ("c", "4"), ("a", "5")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value));
        let collected: Names<&str> = pairs.clone().into_iter().collect();
        let mut inserted = Names::new();
        for (name, value) in pairs {
            inserted.insert(name, value);
        }
        let expected = [("a", "5"), ("b", "3"), ("c", "4")];
        for names in [collected, inserted] {
            assert!(names.keys().eq(["a", "b", "c"]));
            assert_eq!(names.len(), 3);
            for (name, value) in expected {
                assert_eq!(names.get(name), Some(&value), "{name}");
                assert!(names.contains_key(name));
            }
            assert_eq!(names.get("d"), None);
        }
    }

    #[test]
    fn a_new_value_gives_back_the_old_one() {
        let mut names = Names::from([("a".to_owned(), "1")]);
        assert_eq!(names.insert("a".to_owned(), "2"), Some("1"));
        assert_eq!(names.insert("b".to_owned(), "3"), None);
    }
}
