//! The built-in operations: the one list of their names, and what each does to text.
//!
//! It decides the vocabulary's order and shape (X1, X2), which operation takes an argument (X3)
//! and which consults exceptions (S4), and it carries the operations out. Every listing of
//! operations anywhere comes from [`Operation::ALL`]. It must not know pipelines or packages.

use std::borrow::Cow;

use foldhash::HashMap;

use super::{inflection, words};

/// A built-in operation, always available to every package (X1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Words capitalised and run together (X6).
    Pascal,
    /// As pascal, with the first word in lower case (X6, X7).
    Camel,
    /// Words in lower case joined by `_` (X5).
    Snake,
    /// Words in lower case joined by `-` (X5).
    Kebab,
    /// The whole text in upper case (X4).
    Upper,
    /// The whole text in lower case (X4).
    Lower,
    /// The last word in its plural (X14).
    Plural,
    /// The last word in its singular (X14).
    Singular,
    /// Literal text put in front.
    Prefix,
    /// Literal text put behind.
    Suffix,
    /// The members of a list, with literal text between them.
    Join,
}

impl Operation {
    /// The vocabulary, in the order in which it is listed everywhere (X1).
    pub const ALL: [Operation; 11] = [
        Operation::Pascal,
        Operation::Camel,
        Operation::Snake,
        Operation::Kebab,
        Operation::Upper,
        Operation::Lower,
        Operation::Plural,
        Operation::Singular,
        Operation::Prefix,
        Operation::Suffix,
        Operation::Join,
    ];

    /// The name a reference or a pipeline writes.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Pascal => "pascal",
            Operation::Camel => "camel",
            Operation::Snake => "snake",
            Operation::Kebab => "kebab",
            Operation::Upper => "upper",
            Operation::Lower => "lower",
            Operation::Plural => "plural",
            Operation::Singular => "singular",
            Operation::Prefix => "prefix",
            Operation::Suffix => "suffix",
            Operation::Join => "join",
        }
    }

    /// The name as a listing shows it: `prefix:X` where an argument belongs to it (X1).
    pub fn shown(self) -> &'static str {
        match self {
            Operation::Prefix => "prefix:X",
            Operation::Suffix => "suffix:X",
            Operation::Join => "join:X",
            other => other.name(),
        }
    }

    /// The operation called `name`, in exactly that spelling.
    pub fn named(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Whether the operation requires an argument; the others reject one (X3).
    pub fn takes_argument(self) -> bool {
        matches!(
            self,
            Operation::Prefix | Operation::Suffix | Operation::Join
        )
    }

    /// Whether the operation looks words up in a package's exceptions (S4).
    pub fn consults_exceptions(self) -> bool {
        matches!(self, Operation::Pascal | Operation::Camel)
    }

    /// All operations as listings show them, separated by blanks (X1).
    pub fn listing() -> String {
        Operation::ALL.map(Operation::shown).join(" ")
    }
}

/// An operation with its argument, ready to be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// [`Operation::Pascal`].
    Pascal,
    /// [`Operation::Camel`].
    Camel,
    /// [`Operation::Snake`].
    Snake,
    /// [`Operation::Kebab`].
    Kebab,
    /// [`Operation::Upper`].
    Upper,
    /// [`Operation::Lower`].
    Lower,
    /// [`Operation::Plural`].
    Plural,
    /// [`Operation::Singular`].
    Singular,
    /// [`Operation::Prefix`] with the text to put in front.
    Prefix(Box<str>),
    /// [`Operation::Suffix`] with the text to put behind.
    Suffix(Box<str>),
    /// [`Operation::Join`] with its separator.
    Join(Box<str>),
}

/// Every step that has no argument.
static PLAIN: [Step; 8] = [
    Step::Pascal,
    Step::Camel,
    Step::Snake,
    Step::Kebab,
    Step::Upper,
    Step::Lower,
    Step::Plural,
    Step::Singular,
];

impl Step {
    /// The list of this step alone, which takes no memory when it has no argument.
    pub fn alone(self) -> Cow<'static, [Step]> {
        let at = PLAIN.iter().position(|plain| *plain == self);
        match at.and_then(|at| PLAIN.get(at..=at)) {
            Some(plain) => Cow::Borrowed(plain),
            None => Cow::Owned(vec![self]),
        }
    }

    /// The operation this step carries out.
    pub fn operation(&self) -> Operation {
        match self {
            Step::Pascal => Operation::Pascal,
            Step::Camel => Operation::Camel,
            Step::Snake => Operation::Snake,
            Step::Kebab => Operation::Kebab,
            Step::Upper => Operation::Upper,
            Step::Lower => Operation::Lower,
            Step::Plural => Operation::Plural,
            Step::Singular => Operation::Singular,
            Step::Prefix(_) => Operation::Prefix,
            Step::Suffix(_) => Operation::Suffix,
            Step::Join(_) => Operation::Join,
        }
    }

    /// The step for `operation`; the argument is empty for an operation that takes none.
    pub(super) fn of(operation: Operation, argument: &str) -> Step {
        match operation {
            Operation::Pascal => Step::Pascal,
            Operation::Camel => Step::Camel,
            Operation::Snake => Step::Snake,
            Operation::Kebab => Step::Kebab,
            Operation::Upper => Step::Upper,
            Operation::Lower => Step::Lower,
            Operation::Plural => Step::Plural,
            Operation::Singular => Step::Singular,
            Operation::Prefix => Step::Prefix(argument.into()),
            Operation::Suffix => Step::Suffix(argument.into()),
            Operation::Join => Step::Join(argument.into()),
        }
    }

    /// What the step makes of `text`, or `None` for `join`, which needs a list (X17).
    pub(super) fn over_text(&self, text: &str, exceptions: &Exceptions) -> Option<String> {
        Some(match self {
            Step::Pascal => pascal(text, &exceptions.pascal),
            Step::Camel => camel(text, &exceptions.camel),
            Step::Snake => words::snake(text),
            Step::Kebab => words::kebab(text),
            Step::Upper => words::upper(text),
            Step::Lower => words::lower(text),
            Step::Plural => inflection::plural(text).into_owned(),
            Step::Singular => inflection::singular(text).into_owned(),
            Step::Prefix(front) => format!("{front}{text}"),
            Step::Suffix(back) => format!("{text}{back}"),
            Step::Join(_) => return None,
        })
    }
}

/// A package's exception tables: word in lower case to its spelling (S4, S5).
#[derive(Debug, Clone, Default)]
pub(super) struct Exceptions {
    pub(super) pascal: HashMap<String, String>,
    pub(super) camel: HashMap<String, String>,
}

fn push_word(out: &mut String, word: &str, table: &HashMap<String, String>) {
    // Most packages have no exceptions; then no key needs to be made.
    let replacement = if table.is_empty() {
        None
    } else {
        table.get(&words::lower(word))
    };
    match replacement {
        Some(spelling) => out.push_str(spelling),
        None => words::push_capitalised(out, word),
    }
}

fn pascal(text: &str, table: &HashMap<String, String>) -> String {
    let snake = words::snake(text);
    let mut out = String::with_capacity(snake.len());
    for word in snake.split('_').filter(|word| !word.is_empty()) {
        push_word(&mut out, word, table);
    }
    out
}

/// The first word is the one before the first `_`; when the text begins with a delimiter that
/// word is empty, and dropping it leaves only capitalised ones: `_private` gives `Private`.
fn camel(text: &str, table: &HashMap<String, String>) -> String {
    let snake = words::snake(text);
    let mut parts = snake.split('_');
    let mut out = parts.next().map(words::lower).unwrap_or_default();
    for word in parts.filter(|word| !word.is_empty()) {
        push_word(&mut out, word, table);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(entries: &[(&str, &str)]) -> HashMap<String, String> {
        entries
            .iter()
            .map(|(word, spelling)| ((*word).to_owned(), (*spelling).to_owned()))
            .collect()
    }

    #[test]
    fn x1_order_of_the_vocabulary() {
        assert_eq!(
            Operation::listing(),
            "pascal camel snake kebab upper lower plural singular prefix:X suffix:X join:X"
        );
        for operation in Operation::ALL {
            assert_eq!(Operation::named(operation.name()), Some(operation));
            assert_eq!(Step::of(operation, "x").operation(), operation);
        }
        assert_eq!(Operation::named("Snake"), None);
    }

    #[test]
    fn x18_pascal_and_camel_vectors() {
        let pascal_table = table(&[("url", "URL"), ("id", "ID")]);
        assert_eq!(pascal("ID_token", &pascal_table), "IDToken");
        assert_eq!(pascal("user_url", &pascal_table), "UserURL");
        let camel_table = table(&[("id", "ID")]);
        assert_eq!(camel("user-id", &camel_table), "userID");
        assert_eq!(camel("ID_token", &camel_table), "idToken");
    }

    #[test]
    fn x6_empty_words_are_dropped_and_the_first_rune_capitalised() {
        let none = HashMap::default();
        assert_eq!(pascal("__dunder__", &none), "Dunder");
        assert_eq!(pascal("имя_файла", &none), "ИмяФайла");
        assert_eq!(pascal("_", &none), "");
        assert_eq!(pascal("user/name", &none), "User/name");
    }

    #[test]
    fn x7_camel_lower_cases_the_first_word() {
        let none = HashMap::default();
        assert_eq!(camel("ÉcoleNom", &none), "écoleNom");
        assert_eq!(camel("HTTPServer", &none), "httpServer");
        assert_eq!(camel("_private", &none), "Private");
        assert_eq!(camel("", &none), "");
    }
}
