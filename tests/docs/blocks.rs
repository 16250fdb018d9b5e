//! The fenced blocks of a document, and the commands in them. It must not run any.

/// A fenced block: where it stands, what its fence says, and its lines.
pub struct Block {
    /// The line of its fence, from 1.
    pub line: usize,
    language: String,
    words: Vec<String>,
    /// Its lines, each with its end.
    pub text: String,
}

/// A command of a shell block.
pub struct Command {
    pub program: String,
    pub arguments: Vec<String>,
    /// The file that `>` names.
    pub target: Option<String>,
}

impl Block {
    /// Whether a word stands behind the language.
    pub fn says(&self, word: &str) -> bool {
        self.words.iter().any(|found| found == word)
    }

    /// The value of `key=value` behind the language.
    pub fn value(&self, key: &str) -> Option<&str> {
        let mut values = self.words.iter().filter_map(|word| word.split_once('='));
        values
            .find(|(found, _)| *found == key)
            .map(|(_, value)| value)
    }

    /// Whether it is to be carried out.
    pub fn runs(&self) -> bool {
        matches!(self.language.as_str(), "sh" | "console") && !self.says("no-run")
    }

    /// The commands of a shell block, continued lines joined; `name` is the document's, for a failure.
    pub fn commands(&self, name: &str) -> Vec<Command> {
        let joined = self.text.replace("\\\n", " ");
        let lines = joined.lines().map(str::trim);
        let lines = lines.map(|line| line.strip_prefix("$ ").unwrap_or(line));
        lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(|line| self.command(line, name))
            .collect()
    }

    fn command(&self, line: &str, name: &str) -> Command {
        let line = match line.strip_prefix("cargo run -- ") {
            Some(rest) => format!("sedum {rest}"),
            None => line.to_owned(),
        };
        let mut words = words(&line).into_iter();
        let program = words.next().unwrap_or_default();
        assert!(
            program == "sedum" || self.value("needs") == Some(&program),
            "{name}:{}: {line:?} is not sedum: mark the block no-run, or say what it needs",
            self.line
        );
        let mut arguments: Vec<_> = words.collect();
        let target = arguments
            .iter()
            .position(|word| word == ">")
            .and_then(|at| arguments.split_off(at).pop());
        Command {
            program,
            arguments,
            target,
        }
    }
}

/// The fenced blocks of a text.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                open = Some(Block {
                    line: at + 1,
                    language: words.next().unwrap_or_default(),
                    words: words.collect(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// Words as a shell splits them, with both kinds of quotes and nothing else.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
