//! Parsing one file and lowering it, the syntax tree dropped before the next.

use std::cell::RefCell;
use std::path::Path;

use headstart_ir::{FileIr, FileKind};
use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_semantic::{SemanticBuilder, Stats};
use oxc_span::SourceType;

use crate::lower::{FileFacts, lower};
use crate::names::resolved;
use crate::source::count_lines;

/// Why a text does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What the parser says.
    pub message: String,
    /// Where, in bytes from the start of the text.
    pub offset: u32,
}

thread_local! {
    /// One arena a thread, reset after each file: it grows to the largest tree and stays there.
    static ARENA: RefCell<Allocator> = RefCell::new(Allocator::default());
}

/// Parses `text` (without BOM) as the extension of `path` says and lowers it to the IR.
/// `content_hash` is kept in the result to notice later changes of the file.
///
/// # Errors
/// The first syntax error.
pub fn parse_to_ir(path: &Path, text: &str, content_hash: u64) -> Result<FileIr, SyntaxError> {
    with_tree(path, text, |program| {
        let kind = if is_module(program) { FileKind::Module } else { FileKind::Script };
        let is_typescript = program.source_type.is_typescript();
        let facts = FileFacts { kind, is_typescript, content_hash, lines: count_lines(text) };
        let (scoping, types) = resolved(program, Some(sizes(text)));
        lower(program, (&scoping, &types), &facts)
    })
}

/// How many scopes, symbols and references a text of this length has, about: enough to reserve
/// memory by. Counting them would take a walk of the whole tree.
fn sizes(text: &str) -> Stats {
    let one_in = |bytes: usize| u32::try_from(text.len() / bytes + 8).unwrap_or(u32::MAX);
    Stats::new(0, one_in(120), one_in(60), one_in(24))
}

/// Whether `text` (without BOM) parses as the extension of `path` says.
///
/// # Errors
/// The first syntax error.
pub fn check_syntax(path: &Path, text: &str) -> Result<(), SyntaxError> {
    with_tree(path, text, |_| ())
}

/// Whether `text` (without BOM) parses, and declares no name twice in one scope. Stricter than
/// [`check_syntax`]: it also makes the checks that ECMA-262 calls early errors.
///
/// # Errors
/// The first error.
pub fn check_early_errors(path: &Path, text: &str) -> Result<(), SyntaxError> {
    // With its parentheses: JSX takes a comma within them only.
    with_syntax_tree(path, text, |program| {
        let built = SemanticBuilder::new().with_check_syntax_error(true).build(program);
        let first = built.diagnostics.iter().next().map(|error| SyntaxError {
            message: error.message.to_string(),
            offset: error.labels.first().map_or(0, |label| label.offset()),
        });
        first.map_or(Ok(()), Err)
    })?
}

/// Parses `text` (without BOM) as the extension of `path` says and hands the tree, with its
/// parentheses, to those who print programs.
///
/// # Errors
/// The first syntax error.
pub fn with_syntax_tree<R>(
    path: &Path,
    text: &str,
    use_tree: impl Fn(&ast::Program<'_>) -> R,
) -> Result<R, SyntaxError> {
    with_tree_as(path, text, true, use_tree)
}

fn with_tree<R>(
    path: &Path,
    text: &str,
    use_tree: impl Fn(&ast::Program<'_>) -> R,
) -> Result<R, SyntaxError> {
    with_tree_as(path, text, false, use_tree)
}

fn with_tree_as<R>(
    path: &Path,
    text: &str,
    parentheses: bool,
    use_tree: impl Fn(&ast::Program<'_>) -> R,
) -> Result<R, SyntaxError> {
    ARENA.with_borrow_mut(|arena| {
        let mut first_error = None;
        for source_type in source_types(path) {
            arena.reset();
            let parsed = parse(arena, text, source_type, parentheses);
            match error_of(&parsed) {
                None => return Ok(use_tree(arena.alloc(parsed.program))),
                Some(error) => first_error = first_error.or(Some(error)),
            }
        }
        Err(first_error.unwrap_or_else(|| SyntaxError {
            message: "no known way to read this file".to_owned(),
            offset: 0,
        }))
    })
}

fn parse<'a>(
    arena: &'a Allocator,
    text: &'a str,
    source_type: SourceType,
    parentheses: bool,
) -> ParserReturn<'a> {
    let options = ParseOptions {
        preserve_parens: parentheses,
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    Parser::new(arena, text, source_type).with_options(options).parse()
}

fn error_of(parsed: &ParserReturn<'_>) -> Option<SyntaxError> {
    if parsed.diagnostics.is_empty() && !parsed.panicked {
        return None;
    }
    let first = parsed.diagnostics.iter().next();
    Some(SyntaxError {
        message: first.map_or_else(|| "cannot be parsed".to_owned(), |it| it.message.to_string()),
        offset: first.and_then(|it| it.labels.first()).map_or(0, |label| label.offset()),
    })
}

/// The ways to read a file, the likeliest first. What Node calls CommonJS and what is loaded by a
/// `<script>` may use words that a module reserves, so `.js` is read as a script where it cannot
/// be a module.
fn source_types(path: &Path) -> Vec<SourceType> {
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let extension = extension.to_ascii_lowercase();
    let javascript = SourceType::default().with_jsx(true);
    match extension.as_str() {
        "ts" | "mts" => vec![SourceType::ts()],
        "cts" => vec![SourceType::ts(), SourceType::ts().with_script(true)],
        "tsx" => vec![SourceType::tsx()],
        "mjs" => vec![javascript.with_module(true)],
        "cjs" => vec![javascript.with_commonjs(true), javascript.with_module(true)],
        _ => vec![
            javascript.with_module(true),
            javascript.with_script(true),
            javascript.with_commonjs(true),
        ],
    }
}

fn is_module(program: &ast::Program<'_>) -> bool {
    program.body.iter().any(|statement| statement.is_module_declaration())
}
