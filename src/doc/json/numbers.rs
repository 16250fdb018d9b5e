//! JSON numbers: their grammar only. A number's value is nobody's concern here; its digits stay as they are (J11).

use super::super::node::Fault;
use super::reader::Reader;

impl Reader<'_, '_> {
    /// Steps over a number.
    pub(super) fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                let (span, found) = self.found(start);
                return Err(Fault::new(
                    span,
                    format!("expected a number without a leading zero, found {found}"),
                ));
            }
        } else {
            self.digits("`-`")?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits("the decimal point")?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits("the exponent's `e`")?;
        }
        Ok(())
    }

    fn digits(&mut self, after: &str) -> Result<(), Fault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            let (span, found) = self.found(self.at);
            return Err(Fault::new(
                span,
                format!("expected a digit after {after}, found {found}"),
            ));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }
}
