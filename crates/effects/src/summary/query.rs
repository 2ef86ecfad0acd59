//! What a query in SQL does, in whatever dialect: whether it only reads.
//!
//! What dialects read differently (`\` in strings, `#`, nested comments, `$…$`) is not taken apart:
//! such a query may do anything.

use super::words::{BEFORE_VALUES, CLOCKS, PARAMETRIC, WORDS, only_computes};

/// What a query does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Reading {
    /// It only reads.
    Reads,
    /// It is a `SELECT`, into which the program puts further text that nobody knows.
    Selects,
    /// It may do anything.
    Anything,
}

/// Stands for what the program puts into a query, and nobody knows; no text has it.
pub(super) const HOLE: char = '\u{f8ff}';

/// A token of a query.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// A name or a keyword without quotes, in lower case.
    Word(String),
    /// A name or a text in quotes.
    Quoted,
    /// What nobody knows.
    Hole,
    /// Any other character.
    Sign(char),
}

/// What an SQL text does: one `SELECT`, perhaps with what stands in `WITH`, that locks nothing, writes
/// nowhere, sets no variable, looks at none of the session, and calls nothing but what is known to
/// compute. [`HOLE`] stands for text that nobody knows: if that is part of an expression, it is one too.
pub(super) fn reading(query: &str) -> Reading {
    let Some(mut tokens) = tokens(query) else { return Reading::Anything };
    while tokens.last() == Some(&Token::Sign(';')) {
        tokens.pop();
    }
    if !begins_as_query(&tokens) || !(0..tokens.len()).all(|it| is_plain(&tokens, it)) {
        return Reading::Anything;
    }
    if query.contains(HOLE) { Reading::Selects } else { Reading::Reads }
}

/// Whether an SQL text that is known as a whole only reads.
#[must_use]
pub fn only_reads(query: &str) -> bool {
    reading(query) == Reading::Reads
}

/// Whether a part of a query makes it no more than one that reads, wherever it stands in an expression.
/// [`HOLE`] stands for another part, or for a parameter: it may be a name or arguments in parentheses, but
/// not both at once.
pub(super) fn is_plain_part(part: &str) -> bool {
    let Some(tokens) = tokens(part) else { return false };
    let is_put_in = |it: &Token| matches!(it, Token::Hole | Token::Sign('?'));
    let is_call = |pair: &[Token]| {
        is_put_in(&pair[1])
            && match &pair[0] {
                Token::Word(word) => {
                    !only_computes(word) && !BEFORE_VALUES.contains(&word.as_str())
                }
                // `??`, two parts side by side.
                Token::Quoted | Token::Hole => true,
                Token::Sign(sign) => *sign == ']',
            }
    };
    (0..tokens.len()).all(|it| is_plain(&tokens, it)) && !tokens.windows(2).any(is_call)
}

/// Whether a query gives what the clock says, as a value and not only in a condition on what it reads.
pub(super) fn gives_time(query: &str) -> bool {
    const CONDITIONS: [&str; 4] = ["having", "on", "order", "where"];
    let Some(tokens) = tokens(query) else { return false };
    // Whether a condition stands around each parenthesis, and here.
    let mut around = Vec::new();
    let mut is_condition = false;
    for token in &tokens {
        match token {
            Token::Sign('(') => around.push(is_condition),
            Token::Sign(')') => is_condition = around.pop().unwrap_or(false),
            Token::Word(word) if CONDITIONS.contains(&word.as_str()) => is_condition = true,
            Token::Word(word) if matches!(word.as_str(), "select" | "join" | "union") => {
                is_condition = around.last().copied().unwrap_or(false);
            }
            Token::Word(word) if !is_condition && CLOCKS.contains(&word.as_str()) => return true,
            Token::Word(_) | Token::Quoted | Token::Hole | Token::Sign(_) => {}
        }
    }
    false
}

/// `SELECT …`, `(SELECT …`, `WITH … SELECT …`
fn begins_as_query(tokens: &[Token]) -> bool {
    let is =
        |token: Option<&Token>, word: &str| matches!(token, Some(Token::Word(it)) if it == word);
    let mut rest = tokens.iter().skip_while(|it| **it == Token::Sign('('));
    let first = rest.next();
    is(first, "select") || (is(first, "with") && rest.any(|it| is(Some(it), "select")))
}

/// Whether nothing at a place of a query makes it more than a query that reads.
fn is_plain(tokens: &[Token], index: usize) -> bool {
    let back = |count: usize| index.checked_sub(count).and_then(|it| tokens.get(it));
    let follows = |sign: char| back(1) == Some(&Token::Sign(sign));
    match &tokens[index] {
        Token::Word(word) => !WORDS.contains(&word.as_str()),
        Token::Quoted | Token::Hole => true,
        Token::Sign(';') => false,
        // `@variable := value`
        Token::Sign('=') => !follows(':'),
        // `@@session.variable`
        Token::Sign('@') => !follows('@'),
        Token::Sign('(') => match back(1) {
            // A function of a schema is whatever somebody has put there.
            Some(Token::Word(_)) if back(2) == Some(&Token::Sign('.')) => false,
            // `WITH name (column, …) AS`
            Some(Token::Word(word)) => only_computes(word),
            Some(Token::Sign(')')) => is_parametric(tokens, index - 1),
            // `??(…)` and `:name:(…)` of packages that put names in.
            Some(Token::Sign(sign)) => !matches!(sign, ']' | '?' | ':'),
            Some(Token::Quoted) => false,
            Some(Token::Hole) => false,
            None => true,
        },
        Token::Sign(_) => true,
    }
}

/// Whether a closing parenthesis ends the parameters of a function that has arguments, too.
fn is_parametric(tokens: &[Token], close: usize) -> bool {
    let is_open = |it: &usize| tokens[*it] == Token::Sign('(');
    // No parameter has parentheses of its own.
    let open = (0..close).rev().find(is_open);
    match open.and_then(|it| it.checked_sub(1)).map(|it| &tokens[it]) {
        Some(Token::Word(word)) => PARAMETRIC.contains(&word.as_str()),
        _ => false,
    }
}

/// The tokens of a query, without its comments; none where dialects differ in what they are.
fn tokens(query: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let next = rest.chars().nth(1);
        if first == HOLE {
            tokens.push(Token::Hole);
            rest = &rest[HOLE.len_utf8()..];
            continue;
        }
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
            // The match of PostgreSQL's text search; what MySQL calls so has its name right behind it.
            ('@', Some('@')) if rest[2..].starts_with([' ', '\n', '\t', '(']) => {
                tokens.push(Token::Sign('~'));
                &rest[2..]
            }
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
            "WITH b AS (SELECT id FROM a) SELECT lower(name) FROM b",
            "SELECT date_trunc('day', a), cast(b AS numeric(10, 2)) FROM c",
            "(SELECT a FROM b) UNION (SELECT a FROM c)",
            "SELECT row_number() OVER (PARTITION BY a ORDER BY b) FROM c",
            "select\n\tid from a where b in (select c from d)",
            "SELECT count(*), max(a) FROM b WHERE c = $1 AND (d = 'for; call(x)' OR e = ?)",
            "SELECT a -- for\nFROM b /* into c */",
            "SELECT \"a\" FROM `b` WHERE c = 'it''s' AND d = @id",
            "SELECT a FROM b WHERE to_tsvector(c) @@ websearch_to_tsquery('x') ORDER BY ts_rank(d, to_tsquery('x')) * ln(2)",
        ] {
            assert_eq!(reading(query), Reading::Reads, "{query}");
        }
    }

    #[test]
    fn queries_that_may_do_more() {
        for query in [
            "UPDATE a SET b = 1",
            "WITH b AS (DELETE FROM a RETURNING id) SELECT * FROM b",
            "WITH b AS (SELECT 1) INSERT INTO a SELECT * FROM b",
            "WITH b AS (SELECT 1) UPDATE a SET c = 1",
            "SELECT ours.lower('x')",
            "SELECT next_number(0.5)(a) FROM b",
            "SELECT pg_advisory_lock(1)",
            "SELECT set_config('a', 'b', false)",
            "SELECT setval('a', 1)",
            "SELECT 1 FROM a WHERE b IN (SELECT c FROM d FOR SHARE)",
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
            "SELECT public.lower(name) FROM a",
            "SELECT a FROM b FOR UPDATE",
            "SELECT 1; DELETE FROM a",
            "SELECT 'a\\' ', f('b",
            "SELECT $$'$$, f('b')",
            "SELECT 1 # '\n, f('b')",
            "SELECT 1--'\n, f('b')",
            "SELECT 'a",
        ] {
            assert_ne!(reading(query), Reading::Reads, "{query}");
        }
    }

    #[test]
    fn queries_that_the_program_puts_together() {
        for query in [
            "SELECT a FROM b WHERE ~",
            "SELECT ~ FROM b WHERE c = '~'",
            "WITH a AS (SELECT ~), ~ SELECT count(*) FROM a",
            "select count(*) as num from (~) t",
        ] {
            let query = query.replace('~', &HOLE.to_string());
            assert_eq!(reading(&query), Reading::Selects, "{query}");
        }
        for query in ["~", "~ SELECT a", "UPDATE a SET ~", "SELECT ~ INTO a", "SELECT ours(~)"] {
            let query = query.replace('~', &HOLE.to_string());
            assert_eq!(reading(&query), Reading::Anything, "{query}");
        }
    }

    #[test]
    fn parts_of_queries_that_only_read() {
        for part in [
            "count(*) as n",
            "lower(name) = ?",
            "~ in (~, ~)",
            "age > ~ and not exists (select 1 from a)",
            "date_trunc('day', created) desc nulls last",
            "limit ~ offset ~",
            "name ilike ~",
            "?? = ?",
        ] {
            assert!(is_plain_part(&part.replace('~', &HOLE.to_string())), "{part}");
        }
        for part in [
            "pg_advisory_lock(7)",
            "pg_sleep(0.2) as z, nextval('s') as n",
            "nextval('s')",
            "id for update",
            "~(7)",
            "??(7)",
            ":name:(7)",
            "pg_advisory_lock ~",
            "pg_advisory_lock ?",
            "~ ~",
            "\"ours\" ~",
            "1; delete from a",
            "'",
        ] {
            assert!(!is_plain_part(&part.replace('~', &HOLE.to_string())), "{part}");
        }
    }

    #[test]
    fn queries_that_give_the_time() {
        for query in [
            "SELECT now() AS t",
            "SELECT id, (SELECT current_timestamp) FROM a",
            "SELECT a FROM b WHERE c = 1 UNION SELECT clock_timestamp()",
            "SELECT sysdate FROM dual",
            "WITH t AS (SELECT now() AS n) SELECT * FROM a WHERE c < n",
        ] {
            assert!(gives_time(query), "{query}");
        }
        for query in [
            "SELECT a FROM b WHERE c > now() - interval '1 day'",
            "SELECT a FROM b WHERE c IN (SELECT d FROM e WHERE f < current_date)",
            "SELECT a FROM b ORDER BY now() - c",
            "SELECT 'now'",
        ] {
            assert!(!gives_time(query), "{query}");
        }
    }
}
