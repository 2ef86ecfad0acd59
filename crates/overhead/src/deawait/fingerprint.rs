//! Recognises the text of a compiler's helper without holding it.
//!
//! Purpose: code may only be restored where the helper it goes through does what the compiler's
//! does. Input: the text of a function from its parameters on. Output: a hash of its tokens that is
//! the same for every layout, every kind of quote and all names of its variables, but no other text;
//! or nothing for what no helper has (templates, regular expressions).

/// What is known of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>), 128 bits.
    pub hash: u128,
    /// Its variables, in the order in which they are first mentioned; the hash has their numbers.
    pub names: Vec<String>,
}

/// Words that mean the same everywhere; all others but properties are variables.
const FIXED: &str = " arguments async await break case catch const continue default do else false \
    finally for function if in instanceof let new null of return static super switch this throw \
    true try typeof undefined var void while with yield Array AsyncIterator Error Iterator \
    Object Promise Reflect RegExp String Symbol TypeError isNaN ";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'s> {
    Word(&'s str),
    Text(&'s str),
    Sign(u8),
}

/// The fingerprint of a function's text.
#[must_use]
pub fn fingerprint(text: &str) -> Option<Fingerprint> {
    let tokens = without_optional(tokens(text)?);
    let mut hash = Hash::new();
    let mut names: Vec<String> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|at| tokens[at]);
        match token {
            Token::Sign(sign) => hash.add(b's', &[*sign]),
            Token::Text(text) => hash.add(b't', text.as_bytes()),
            Token::Word(word) if is_fixed(word, before, tokens.get(index + 1)) => {
                hash.add(b'w', word.as_bytes());
            }
            Token::Word(word) => {
                let known = names.iter().position(|it| it == word);
                let number = known.unwrap_or(names.len());
                if known.is_none() {
                    names.push((*word).to_owned());
                }
                hash.add(b'n', &number.to_le_bytes());
            }
        }
    }
    Some(Fingerprint { hash: hash.0, names })
}

/// Whether a word is no variable: a number, a keyword, a global, or the name of a property.
fn is_fixed(word: &str, before: Option<Token<'_>>, after: Option<&Token<'_>>) -> bool {
    let is_key =
        after == Some(&Token::Sign(b':')) && matches!(before, Some(Token::Sign(b'{' | b',')));
    word.starts_with(|it: char| it.is_ascii_digit())
        || before == Some(Token::Sign(b'.'))
        || is_key
        || FIXED.contains(&format!(" {word} "))
}

/// Semicolons and commas that may be left out are.
fn without_optional(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let is_optional = |index: usize| match (tokens[index], tokens.get(index + 1)) {
        (Token::Sign(b';'), next) => matches!(next, None | Some(Token::Sign(b'}'))),
        (Token::Sign(b','), next) => matches!(next, Some(Token::Sign(b'}' | b')' | b']'))),
        _ => false,
    };
    (0..tokens.len()).filter(|&index| !is_optional(index)).map(|index| tokens[index]).collect()
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'/' => at = comment_end(text, at)?,
            b'"' | b'\'' => {
                at += 1 + text.get(at + 1..)?.find(byte as char)? + 1;
                let content = text.get(start + 1..at - 1)?;
                if content.contains('\\') {
                    return None;
                }
                tokens.push(Token::Text(content));
            }
            _ if is_word(byte) => {
                while bytes.get(at).is_some_and(|&it| is_word(it)) {
                    at += 1;
                }
                tokens.push(Token::Word(text.get(start..at)?));
            }
            b'`' | b'\\' => return None,
            _ if byte.is_ascii() => {
                tokens.push(Token::Sign(byte));
                at += 1;
            }
            _ => return None,
        }
    }
    Some(tokens)
}

/// The end of the comment that begins at `at`; a slash that begins none is nothing helpers have.
fn comment_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if rest.starts_with("//") {
        return Some(at + rest.find('\n').unwrap_or(rest.len()));
    }
    rest.strip_prefix("/*")?.find("*/").map(|length| at + length + 4)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

struct Hash(u128);

impl Hash {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, kind: u8, bytes: &[u8]) {
        for &byte in std::iter::once(&kind).chain(bytes).chain(&[0xff]) {
            self.0 ^= u128::from(byte);
            self.0 = self.0.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    fn hash(text: &str) -> Option<u128> {
        fingerprint(text).map(|it| it.hash)
    }

    #[test]
    fn names_and_layout_do_not_matter() {
        let one = "(a, b) { return new Promise(function (c) { a['next'](b, c); }); }";
        let two = "(x,y){// comment\nreturn new Promise(function(z){x[\"next\"](y,z)})}";
        assert!(hash(one).is_some());
        assert_eq!(hash(one), hash(two));
    }

    #[test]
    fn everything_else_does() {
        let one = "(a, b) { return a.next(b); }";
        for other in [
            "(a, b) { return a.next(a); }",
            "(a, b) { return b.next(a); }",
            "(a, b) { return a.throw(b); }",
            "(a, b) { return a.next(c); }",
            "(a, b) { return a.next(!b); }",
            "(a, b) { return a.next(b), 1; }",
        ] {
            assert_ne!(hash(one), hash(other), "{other}");
        }
        assert_eq!(hash("(a) { return `${a}`; }"), None);
        assert_eq!(hash("(a) { return /a/; }"), None);
    }
}
