//! Whether a query in SQL only reads, in whatever dialect.
//!
//! What dialects read differently (`\` in strings, `#`, nested comments, `$…$`) is not taken apart:
//! such a query may do anything.

/// A token of a query.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// A name or a keyword without quotes, in lower case.
    Word(String),
    /// A name or a text in quotes.
    Quoted,
    /// Any other character.
    Sign(char),
}

/// Words that lock, write, run something, or keep something for the statement that comes next.
const WORDS: [&str; 9] = [
    "call",
    "currval",
    "for",
    "into",
    "lock",
    "nextval",
    "procedure",
    "sql_calc_found_rows",
    "exec",
];

/// Keywords that may stand before a parenthesis, and functions that only compute.
const BEFORE_PARENTHESIS: [&str; 17] = [
    "and", "avg", "coalesce", "count", "exists", "from", "in", "join", "lower", "max", "min",
    "not", "on", "or", "sum", "upper", "where",
];

/// Whether an SQL text only reads: one `SELECT` that locks nothing, writes nowhere, sets no variable,
/// looks at none of the session, and calls nothing but aggregates.
pub(super) fn is_reading_query(query: &str) -> bool {
    let Some(mut tokens) = tokens(query) else { return false };
    while tokens.last() == Some(&Token::Sign(';')) {
        tokens.pop();
    }
    let is_select = matches!(tokens.first(), Some(Token::Word(word)) if word == "select");
    let is_plain = |(index, token): (usize, &Token)| {
        let before = index.checked_sub(1).and_then(|it| tokens.get(it));
        let follows = |sign: char| before == Some(&Token::Sign(sign));
        match token {
            Token::Word(word) => !WORDS.contains(&word.as_str()),
            Token::Quoted => true,
            Token::Sign(';') => false,
            // `@variable := value`
            Token::Sign('=') => !follows(':'),
            // `@@session.variable`
            Token::Sign('@') => !follows('@'),
            Token::Sign('(') => match before {
                Some(Token::Word(word)) => BEFORE_PARENTHESIS.contains(&word.as_str()),
                Some(Token::Sign(sign)) => !matches!(sign, ')' | ']'),
                Some(Token::Quoted) | None => false,
            },
            Token::Sign(_) => true,
        }
    };
    is_select && tokens.iter().enumerate().all(is_plain)
}

/// The tokens of a query, without its comments; none where dialects differ in what they are.
fn tokens(query: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let next = rest.chars().nth(1);
        if is_in_word(first) {
            let end = rest.find(|it| !is_in_word(it)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_lowercase()));
            rest = &rest[end..];
            continue;
        }
        rest = match (first, next) {
            ('/', Some('*')) => behind_comment(rest)?,
            // Elsewhere than in MySQL, a comment; there, only with white space behind it.
            ('-', Some('-')) => {
                let is_comment = rest[2..].chars().next().is_none_or(char::is_whitespace);
                let line = rest.split_once('\n').map_or("", |it| it.1);
                is_comment.then_some(line)?
            }
            ('#', _) => return None,
            ('$', it) if !it.is_some_and(|it| it.is_ascii_digit()) => return None,
            ('\'' | '"' | '`', _) => {
                let (text, behind) = rest[1..].split_once(first)?;
                if text.contains('\\') {
                    return None;
                }
                tokens.push(Token::Quoted);
                behind
            }
            (it, _) => {
                if !it.is_whitespace() {
                    tokens.push(Token::Sign(it));
                }
                &rest[it.len_utf8()..]
            }
        };
    }
    Some(tokens)
}

/// What follows a comment that begins a text. Those that begin with `/*!`, `/*M!` or `/*+` are code, or
/// tell the server something (MySQL, "Comments").
fn behind_comment(text: &str) -> Option<&str> {
    let (comment, behind) = text.get(2..)?.split_once("*/")?;
    let is_code = comment.starts_with(['!', '+', 'M', 'm']) || comment.contains("/*");
    (!is_code).then_some(behind)
}

fn is_in_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_that_only_read() {
        for query in [
            "SELECT * FROM a;",
            "select\n\tid from a where b in (select c from d)",
            "SELECT count(*), max(a) FROM b WHERE c = $1 AND (d = 'for; call(x)' OR e = ?)",
            "SELECT a -- for\nFROM b /* into c */",
            "SELECT \"a\" FROM `b` WHERE c = 'it''s' AND d = @id",
        ] {
            assert!(is_reading_query(query), "{query}");
        }
    }

    #[test]
    fn queries_that_may_do_more() {
        for query in [
            "UPDATE a SET b = 1",
            "SELECT next_number('x')",
            "SELECT `next_number`('x')",
            "SELECT \"next_number\" ('x')",
            "SELECT next_number/**/('x')",
            "SELECT @x := 5",
            "SELECT 5 INTO @x",
            "SELECT @@session.found_rows",
            "SELECT /*! SQL_CALC_FOUND_ROWS */ a FROM b",
            "SELECT /*M! SQL_CALC_FOUND_ROWS */ a FROM b",
            "SELECT SQL_CALC_FOUND_ROWS a FROM b",
            "SELECT FOUND_ROWS()",
            "SELECT a.nextval FROM dual",
            "SELECT a FROM b FOR UPDATE",
            "SELECT 1; DELETE FROM a",
            "SELECT 'a\\' ', f('b",
            "SELECT $$'$$, f('b')",
            "SELECT 1 # '\n, f('b')",
            "SELECT 1--'\n, f('b')",
            "SELECT 'a",
        ] {
            assert!(!is_reading_query(query), "{query}");
        }
    }
}
