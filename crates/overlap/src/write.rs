//! The text of one plan.

use std::borrow::Cow;

use headstart_edit::Edit;
use headstart_ir::order;
use headstart_ir::{DeclKind, Span};

use crate::braces::Braces;
use crate::deciding::When;
use crate::emit::{Emitter, Names, Segment};
use crate::finding::{Form, Part, Piece, Plan, PlannedBinding, PlannedOperation};
use crate::helper::Types;
use crate::layout::{LINE_WIDTH, indent_further_lines, width};

/// Characters that would go on with the line before, where that ends without a semicolon
/// (ECMA-262, 12.10).
const CONTINUING: [char; 6] = ['(', '[', '`', '+', '-', '/'];

/// Writes the text of one plan.
pub(crate) struct Writer<'a> {
    pub(crate) plan: &'a Plan,
    /// What is written, and the statements whose place it takes.
    pub(crate) parts: &'a [Part],
    pub(crate) pieces: (usize, usize),
    /// The names that the plan introduces.
    pub(crate) names: &'a Names,
    pub(crate) text: &'a str,
    pub(crate) strings: &'a [Span],
    /// White space at the start of the line that the plan starts on.
    pub(crate) indent: Cow<'a, str>,
    /// The braces that its statement needs around it.
    pub(crate) braces: Option<Braces<'a>>,
    /// One level of indentation.
    pub(crate) unit: &'a str,
    /// Columns before the plan on its line.
    pub(crate) column: usize,
    /// Whether all of it stands on one line together with other code: it stays there.
    pub(crate) is_inline: bool,
    /// How types are said in the file.
    types: Types,
    /// `;` where the last statement has one.
    pub(crate) semicolon: &'a str,
    /// How `undefined` is written: a file may have a variable of that name.
    nothing: &'static str,
    /// `;` in files whose statements end with it.
    pub(crate) statement_end: &'static str,
    /// The end of what is replaced.
    pub(crate) end: u32,
    /// For each piece, the comments that stand around it, in order.
    pub(crate) comments: Vec<Vec<Span>>,
}

/// An operation that is waited for together with others, with its piece.
struct Member<'a> {
    piece: usize,
    statement: Span,
    operation: &'a PlannedOperation,
    binding: &'a PlannedBinding,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(
        emitter: &'a Emitter<'_>,
        plan: &'a Plan,
        names: &'a Names,
        segment: &Segment<'a>,
    ) -> Self {
        let text = emitter.source.text();
        let (first, last) = segment.pieces;
        let span = Span::new(plan.pieces[first].statement.start, plan.pieces[last].statement.end);
        let start = span.start;
        let indent = emitter.source.indentation(start);
        let line_start = emitter.source.line_start(emitter.source.line_of(start));
        let before = Span::new(line_start, start).text(text);
        let last_end = end_of(&plan.pieces[last], text);
        // In a style without semicolons, one may stand before the *next* statement; the parser
        // counts it to this one.
        let behind = Span::new(last_end, span.end).text(text);
        let has_semicolon = behind.ends_with(';') && !behind.contains('\n');
        let end = if has_semicolon { span.end } else { last_end };
        let ends_block = span.text(text).ends_with('}') && emitter.has_semicolons;
        let is_inline = before.len() > indent.len() && !plan.span.text(text).contains('\n');
        let unit = if indent.starts_with('\t') { "\t" } else { &emitter.unit };
        let mut writer = Self {
            plan,
            parts: segment.parts,
            pieces: segment.pieces,
            names,
            text,
            strings: emitter.strings,
            indent: Cow::Borrowed(indent),
            braces: None,
            unit,
            column: width(before),
            is_inline,
            types: emitter.types,
            semicolon: if has_semicolon || ends_block { ";" } else { "" },
            nothing: if emitter.declares("undefined") { "void 0" } else { "undefined" },
            statement_end: if emitter.has_semicolons { ";" } else { "" },
            end,
            comments: Vec::new(),
        };
        if plan.pieces[first].script.as_ref().is_some_and(|it| !it.before.is_empty()) {
            writer.put_braces(emitter);
        }
        writer.comments = writer.assign_comments(emitter.comments_in(Span::new(start, end)));
        writer
    }

    /// What has to be written where.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        if let Some(braces) = &self.braces {
            return self.in_braces(braces);
        }
        let (piece, _) = self.pieces;
        let data = &self.plan.pieces[piece];
        match self.parts.split_last() {
            Some((Part::Keep(_), starts)) if self.is_in_place() => {
                let mut edits = self.before(starts);
                edits.extend(self.edits_of(piece));
                edits
            }
            _ => vec![Edit { start: data.statement.start, end: self.end, text: self.write() }],
        }
    }

    /// Whether a single statement stays, and others are put before it.
    fn is_in_place(&self) -> bool {
        let is_start = |part: &Part| matches!(part, Part::Start(_) | Part::Lead(_));
        let others = &self.parts[..self.parts.len().saturating_sub(1)];
        self.pieces.0 == self.pieces.1 && others.iter().all(is_start)
    }

    pub(crate) fn is_named(&self, piece: usize) -> bool {
        !self.names.promises[piece].is_empty()
    }

    /// Whether a statement would go on with what stands on the line before it.
    pub(crate) fn goes_on(&self, piece: usize) -> bool {
        let statement = self.snippet(self.plan.pieces[piece].statement);
        self.separator().is_empty() && statement.starts_with(CONTINUING)
    }

    /// What is put before a statement that stays.
    fn before(&self, starts: &[Part]) -> Vec<Edit> {
        let mut text = String::new();
        for part in starts {
            text.push_str(&match part {
                Part::Start(piece) => self.start(*piece),
                Part::Lead(piece) => self.lead(*piece),
                Part::Keep(_) | Part::Group(..) => continue,
            });
            text.push_str(&self.between());
        }
        let piece = self.pieces.0;
        let of_script = self.script_before(piece);
        if of_script.is_empty() && !text.is_empty() && self.goes_on(piece) {
            text.push(';');
        }
        text.push_str(&of_script);
        let start = self.plan.pieces[piece].statement.start;
        if text.is_empty() { Vec::new() } else { vec![Edit { start, end: start, text }] }
    }

    /// What changes within a statement that stays: its operation becomes a name where that has
    /// started, and it is rewritten by itself.
    pub(crate) fn edits_of(&self, piece: usize) -> Vec<Edit> {
        let mut edits = self.script_edits(piece);
        let operation = self.plan.pieces[piece].operation.as_ref();
        if let Some(operation) = operation.filter(|_| self.is_named(piece)) {
            let (start, end) = (operation.span.start, operation.span.end);
            edits.retain(|it| it.end <= start || end <= it.start);
            // TypeScript does not know that it is there wherever the test holds.
            let name = &self.names.promises[piece];
            let text = match self.types {
                Types::Written if operation.guard.is_some() => format!("{name}!"),
                Types::InComments if operation.guard.is_some() => {
                    format!("/** @type {{NonNullable<typeof {name}>}} */ ({name})")
                }
                Types::Written | Types::InComments | Types::None => name.clone(),
            };
            edits.push(Edit { start, end, text });
            for (it, name) in operation.before.iter().zip(&self.names.before[piece]) {
                let (start, end) = (it.span.start, it.span.end);
                edits.retain(|it| it.end <= start || end <= it.start);
                edits.push(Edit { start, end, text: name.clone() });
            }
            order::sort_by_key(&mut edits, |it| it.start);
        }
        edits
    }

    /// The text that takes the place of several statements.
    fn write(&self) -> String {
        let mut text = String::new();
        for part in self.parts {
            let body = match part {
                Part::Keep(piece) => self.kept(*piece),
                Part::Start(piece) => self.start(*piece),
                Part::Lead(piece) => self.lead(*piece),
                Part::Group(pieces, form) => self.group(pieces, *form),
            };
            if !text.is_empty() {
                let is_open = !self.is_inline && !text.ends_with([';', '}', '{', '/']);
                text.push_str(&self.gap(part));
                if is_open && body.starts_with(CONTINUING) {
                    text.push(';');
                }
            }
            text.push_str(&body);
        }
        text
    }

    /// What separates a part from the one before it.
    fn gap(&self, part: &Part) -> String {
        if self.is_inline {
            return " ".to_owned();
        }
        let piece = match part {
            Part::Keep(piece) => Some(*piece),
            Part::Group(pieces, _) => pieces.first().copied(),
            Part::Start(_) | Part::Lead(_) => None,
        };
        let has_blank = piece.is_some_and(|piece| self.has_blank_before(piece));
        let lines = if has_blank { "\n\n" } else { "\n" };
        format!("{lines}{}", self.indent)
    }

    /// Whether an empty line stands before a statement and its comments.
    fn has_blank_before(&self, piece: usize) -> bool {
        let start = self.comments[piece]
            .iter()
            .map(|it| it.start)
            .chain([self.plan.pieces[piece].statement.start])
            .min()
            .unwrap_or_default();
        let before = self.text.get(..start as usize).unwrap_or_default();
        let space = &before[before.trim_end().len()..];
        piece > self.pieces.0 && space.matches('\n').count() > 1
    }

    pub(crate) fn snippet(&self, span: Span) -> &'a str {
        span.text(self.text)
    }

    /// Gives every comment that is not inside what is copied to a statement: one that ends the line
    /// of a statement to that statement, any other to the next.
    fn assign_comments(&self, comments: &[Span]) -> Vec<Vec<Span>> {
        let pieces = &self.plan.pieces;
        let mut assigned = vec![Vec::new(); pieces.len()];
        for &comment in comments {
            if (0..pieces.len()).any(|piece| self.is_copied(piece, comment)) {
                continue;
            }
            let next = pieces.iter().position(|it| comment.start < it.statement.end);
            let next = next.unwrap_or(pieces.len() - 1);
            let trails = next > 0 && self.ends_line_of(comment, &pieces[next - 1], &pieces[next]);
            assigned[if trails { next - 1 } else { next }].push(comment);
        }
        assigned
    }

    fn is_copied(&self, piece: usize, comment: Span) -> bool {
        let is_grouped = self
            .plan
            .parts
            .iter()
            .any(|part| matches!(part, Part::Group(pieces, _) if pieces.contains(&piece)));
        let data = &self.plan.pieces[piece];
        let operation = data.operation.as_ref().filter(|_| is_grouped);
        match operation.and_then(|it| Some((it.span, it.binding.as_ref()?))) {
            Some((operation, binding)) => {
                operation.contains(comment)
                    || binding.pattern.contains(comment)
                    || binding.annotation.contains(comment)
            }
            None => data.statement.contains(comment),
        }
    }

    /// Whether a comment stands behind `before` on its line, and nothing behind the comment.
    fn ends_line_of(&self, comment: Span, before: &Piece, next: &Piece) -> bool {
        let gap = Span::new(before.statement.end.min(comment.start), comment.start);
        let rest = Span::new(comment.end, next.statement.start.max(comment.end));
        comment.start >= before.statement.end
            && !self.snippet(gap).contains('\n')
            && self.snippet(rest).contains('\n')
    }

    /// A statement with its comments.
    fn kept(&self, piece: usize) -> String {
        let data = &self.plan.pieces[piece];
        let end = if piece == self.pieces.1 { self.end } else { data.statement.end };
        let statement = Span::new(data.statement.start, end);
        let mut text = String::new();
        let (above, behind) = self.around(piece);
        for &comment in &above {
            text.push_str(self.snippet(comment));
            text.push_str(&self.between());
        }
        text.push_str(&self.script_before(piece));
        text.push_str(
            &self.with_edits(statement, self.edits_of(piece), &|it| self.snippet(it).to_owned()),
        );
        // A semicolon on a line of its own belongs to the next statement.
        if let Some(line) = text.strip_suffix(';')
            && line.trim_end_matches([' ', '\t']).ends_with('\n')
        {
            text.truncate(line.trim_end().len());
        }
        for &comment in &behind {
            text.push(' ');
            text.push_str(self.snippet(comment));
        }
        text
    }

    pub(crate) fn between(&self) -> String {
        if self.is_inline { " ".to_owned() } else { format!("\n{}", self.indent) }
    }

    /// Starts an operation early. Its promise has a handler from the moment it exists, so that its
    /// failure is not unhandled while others are waited for (the contract, S3).
    fn start(&self, piece: usize) -> String {
        let Some(operation) = &self.plan.pieces[piece].operation else { return String::new() };
        let (name, end) = (&self.names.promises[piece], self.separator());
        let ty = self.promise_type(operation);
        let (started, between) = (self.promise(piece, operation), self.between());
        let begun = |name: &str, ty: &str, started: &str| {
            format!("const {name}{ty} = {started}{end}{between}{name}.catch(() => {{}}){end}")
        };
        match operation.guard {
            None => {
                let before = operation.before.iter().zip(&self.names.before[piece]);
                before
                    .map(|(it, name)| begun(name, "", &self.promise(piece, it)))
                    .chain([begun(name, &ty, &started)])
                    .collect::<Vec<_>>()
                    .join(&between)
            }
            Some(guard) => {
                let test = self.rewritten(piece, guard.test);
                let test = if guard.is_plain { test } else { format!("({test})") };
                let nothing = self.nothing;
                let chosen = match guard.when {
                    When::True => format!("{test} ? {started} : {nothing}"),
                    When::False => format!("{test} ? {nothing} : {started}"),
                    When::Missing => format!("{test} == null ? {started} : {nothing}"),
                };
                format!(
                    "const {name} = {chosen}{end}{between}\
                     {name}?.catch(() => {{}}){end}"
                )
            }
        }
    }

    /// Starts an operation right before its statement, which waits for it before anything else can run.
    fn lead(&self, piece: usize) -> String {
        let Some(operation) = &self.plan.pieces[piece].operation else { return String::new() };
        let (name, end) = (&self.names.promises[piece], self.separator());
        let ty = self.promise_type(operation);
        format!("const {name}{ty} = {}{end}", self.started(piece, operation))
    }

    fn group(&self, pieces: &[usize], form: Form) -> String {
        let members: Vec<Member<'_>> =
            pieces.iter().filter_map(|&piece| self.member(piece)).collect();
        match form {
            Form::All => self.all(&members),
            Form::Named => self.named(&members),
        }
    }

    /// The comments before a statement, and those behind it on its line.
    pub(crate) fn around(&self, piece: usize) -> (Vec<Span>, Vec<Span>) {
        let end = self.plan.pieces[piece].statement.end;
        self.comments[piece].iter().copied().partition(|it| it.start < end)
    }

    fn member(&self, piece: usize) -> Option<Member<'a>> {
        let data = &self.plan.pieces[piece];
        let operation = data.operation.as_ref()?;
        let binding = operation.binding.as_ref()?;
        Some(Member { piece, statement: data.statement, operation, binding })
    }

    /// `const [a, b] = await Promise.all([…])`
    fn all(&self, members: &[Member<'a>]) -> String {
        let declared = members.iter().find_map(|it| it.binding.keyword);
        let head = match declared {
            Some(kind) => {
                let keyword = keyword(kind);
                format!("{keyword} {} = await Promise.all([", self.binding(members, keyword))
            }
            None => "await Promise.all([".to_owned(),
        };
        let semicolon = self.ending(members);
        match self.flat_operations(members, &head) {
            Some(operations) => format!("{head}{operations}]){semicolon}"),
            None => {
                format!("{head}\n{}{}]){semicolon}", self.elements(members), self.indent)
            }
        }
    }

    /// What ends a group: what its last statement ends with, or what separates statements.
    fn ending(&self, members: &[Member<'a>]) -> &'a str {
        let is_last = members.iter().any(|it| it.piece == self.pieces.1);
        let ends_plan = matches!(self.parts.last(), Some(Part::Group(..)));
        if is_last && ends_plan { self.semicolon } else { self.separator() }
    }

    /// `[a, b]`, with its type, over several lines where one is too long.
    fn binding(&self, members: &[Member<'a>], keyword: &str) -> String {
        let mut patterns: Vec<&str> =
            members.iter().map(|it| self.snippet(it.binding.pattern)).collect();
        while patterns.last().is_some_and(|it| it.is_empty()) {
            patterns.pop();
        }
        let types = self.types(members);
        let annotation =
            if types.is_empty() { String::new() } else { format!(": [{}]", types.join(", ")) };
        let one_line = format!("[{}]{annotation}", patterns.join(", "));
        let rest = keyword.len() + " ".len() + " = await Promise.all([".len();
        let fits = self.column + rest + width(&one_line) <= LINE_WIDTH;
        if self.is_inline || (fits && !one_line.contains('\n')) {
            return one_line;
        }
        let inner = format!("{}{}", self.indent, self.unit);
        let list = |items: Vec<String>| {
            let items: Vec<String> = items.iter().map(|item| format!("{inner}{item},\n")).collect();
            format!("[\n{}{}]", items.concat(), self.indent)
        };
        let patterns =
            list(members.iter().map(|it| self.deeper(it.binding.pattern)).collect::<Vec<String>>());
        let last_line = format!("{}]{annotation} = await Promise.all([", self.indent);
        if width(&last_line) <= LINE_WIDTH {
            return format!("{patterns}{annotation}");
        }
        format!("{patterns}: {}", list(types.iter().map(|&it| it.to_owned()).collect()))
    }

    /// The type annotations, none where there are none.
    fn types(&self, members: &[Member<'a>]) -> Vec<&'a str> {
        members
            .iter()
            .map(|it| self.snippet(it.binding.annotation).trim_start_matches(':').trim())
            .filter(|annotation| !annotation.is_empty())
            .collect()
    }

    /// The operations on the line of `head`, where they fit and carry no comments.
    fn flat_operations(&self, members: &[Member<'a>], head: &str) -> Option<String> {
        let with_comments = |it: &Member<'a>| {
            let comments = self.comments[it.piece].iter().map(|&it| self.snippet(it).to_owned());
            let operation = self.rewritten(it.piece, it.operation.span);
            comments.chain([operation]).collect::<Vec<String>>().join(" ")
        };
        let operations: Vec<String> = members.iter().map(with_comments).collect();
        let joined = operations.join(", ");
        let before = match head.rsplit_once('\n') {
            Some((_, last)) => width(last),
            None => self.column + width(head),
        };
        let fits = self.is_inline || before + width(&joined) + "]);".len() <= LINE_WIDTH;
        let has_comments = members.iter().any(|it| !self.comments[it.piece].is_empty());
        let is_plain = !joined.contains('\n') && (self.is_inline || !has_comments);
        (fits && is_plain).then_some(joined)
    }

    fn elements(&self, members: &[Member<'a>]) -> String {
        let inner = format!("{}{}", self.indent, self.unit);
        let mut text = String::new();
        for member in members {
            let comments = &self.comments[member.piece];
            for &comment in comments.iter().filter(|it| it.start < member.statement.end) {
                text.push_str(&format!("{inner}{}\n", self.deeper(comment)));
            }
            let edits = self.script_edits(member.piece);
            let operation = self.with_edits(member.operation.span, edits, &|it| self.deeper(it));
            text.push_str(&format!("{inner}{operation},"));
            for &comment in comments.iter().filter(|it| it.start >= member.statement.end) {
                text.push_str(&format!(" {}", self.snippet(comment)));
            }
            text.push('\n');
        }
        text
    }

    /// The text of a span, its further lines one level deeper; strings stay as they are.
    fn deeper(&self, span: Span) -> String {
        indent_further_lines(self.text, span, self.unit, self.strings)
    }

    /// Promises with names, awaited where the original did. Each but the first has a handler from
    /// the moment it exists, so that its failure is not unhandled while an earlier one is awaited.
    fn named(&self, members: &[Member<'a>]) -> String {
        let mut lines: Vec<String> = Vec::new();
        for member in members {
            let (above, behind): (Vec<&Span>, Vec<&Span>) =
                self.comments[member.piece].iter().partition(|it| it.start < member.statement.end);
            lines.extend(above.iter().map(|&&it| self.snippet(it).to_owned()));
            let (name, end) = (&self.names.promises[member.piece], self.separator());
            let operation = self.promise(member.piece, member.operation);
            let ty = self.promise_type(member.operation);
            let mut line = format!("const {name}{ty} = {operation}{end}");
            for &&comment in &behind {
                line.push_str(&format!(" {}", self.snippet(comment)));
            }
            lines.push(line);
        }
        for member in members.iter().skip(1) {
            lines.push(format!(
                "{}.catch(() => {{}}){}",
                self.names.promises[member.piece],
                self.separator()
            ));
        }
        for (index, member) in members.iter().enumerate() {
            let is_last = index + 1 == members.len();
            let end = if is_last { self.ending(members) } else { self.separator() };
            let name = &self.names.promises[member.piece];
            lines.push(match member.binding.keyword {
                Some(kind) => format!(
                    "{} {}{} = await {name}{end}",
                    keyword(kind),
                    self.snippet(member.binding.pattern),
                    self.snippet(member.binding.annotation)
                ),
                None => format!("await {name}{end}"),
            });
        }
        lines.join(&self.between())
    }

    /// An operation that gets a name. A query that is built first starts when somebody waits for it, and
    /// may start again when somebody else does: a promise waits for it once, and at once.
    fn started(&self, piece: usize, operation: &PlannedOperation) -> String {
        let mut text = self.rewritten(piece, operation.span);
        // It may come from a block within the statement.
        if operation.guard.is_some() {
            text = self.outdented(operation.span, text, &self.indent);
        }
        if operation.is_caught {
            return format!("(async () => {text})()");
        }
        if operation.is_lazy { format!("Promise.resolve({text})") } else { text }
    }

    /// As [`Self::started`], where the promise is used as one.
    fn promise(&self, piece: usize, operation: &PlannedOperation) -> String {
        let text = self.started(piece, operation);
        let is_plain = operation.may_be_value && !operation.is_lazy && !operation.is_caught;
        match is_plain {
            // `Promise.resolve` would not hand the type on by which type parameters of what is called are found.
            true if operation.is_typed => format!("(async () => {text})()"),
            true => format!("Promise.resolve({text})"),
            false => text,
        }
    }

    /// The annotation of the promise of an operation, where it needs one.
    fn promise_type(&self, operation: &PlannedOperation) -> String {
        match operation.binding.as_ref().filter(|_| operation.is_typed) {
            Some(it) => {
                let ty = self.snippet(it.annotation).trim_start_matches(':').trim();
                format!(": Promise<{ty}>")
            }
            None => String::new(),
        }
    }

    /// What ends a statement that is not the last: on one line there has to be a semicolon.
    pub(crate) fn separator(&self) -> &'a str {
        if self.is_inline { ";" } else { self.semicolon }
    }
}

/// Where a statement ends, a semicolon not counted.
fn end_of(last: &Piece, text: &str) -> u32 {
    if let Some(binding) = last.operation.as_ref().and_then(|it| it.binding.as_ref()) {
        return binding.end;
    }
    let statement = last.statement.text(text);
    let shorter = statement.strip_suffix(';').map_or(statement, str::trim_end);
    last.statement.start + u32::try_from(shorter.len()).unwrap_or(0)
}

fn keyword(kind: DeclKind) -> &'static str {
    match kind {
        DeclKind::Var => "var",
        DeclKind::Let => "let",
        _ => "const",
    }
}
