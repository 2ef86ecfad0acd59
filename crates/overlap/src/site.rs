//! Statements that start an operation and wait for it at once.

use headstart_effects::{Blocker, FileAnalysis, Known, Operation};
use headstart_ir::{
    DeclKind, Declarator, FileIr, Inst, InstId, PatternShape, Span, Stmt, StmtId, StmtKind,
};
use headstart_models::{ResultKind, Throws};

/// `const pattern = await operation`, where a model describes the operation as reading files.
#[derive(Clone, Debug)]
pub(crate) struct Site<'p> {
    pub(crate) stmt: &'p Stmt,
    pub(crate) keyword: DeclKind,
    pub(crate) declarator: &'p Declarator,
    /// The `await`.
    pub(crate) suspension: InstId,
    pub(crate) operation: Operation<'p>,
}

impl<'p> Site<'p> {
    /// The first instruction of the statement.
    pub(crate) fn first(&self) -> InstId {
        self.stmt.first
    }

    /// The span of the operation.
    pub(crate) fn operation_span(&self, analysis: &FileAnalysis<'p>) -> Span {
        analysis.ir.span(self.operation.call)
    }
}

/// Sees the statement as a site.
///
/// # Errors
/// Why it is none; the span is the part of the statement that stands in the way.
pub(crate) fn site<'p>(
    analysis: &FileAnalysis<'p>,
    id: StmtId,
    known: &Known,
) -> Result<Site<'p>, Blocker> {
    let ir = analysis.ir;
    let stmt = ir.stmt(id);
    let (keyword, declarator) = single_declaration(analysis, stmt)?;
    let shown = |text| Blocker { text, span: stmt.span };
    let value = declarator.value.ok_or(shown("`{}` has no value"))?;
    let Inst::Await(call) = ir.inst(value) else {
        return Err(shown("`{}` waits for nothing, or not on its own"));
    };
    if !declarator.is_plain_await {
        return Err(shown("`{}` has a type assertion around what it waits for"));
    }
    let operation = analysis.operation(call, known)?;
    if !operation.settles() {
        let span = ir.span(call);
        return Err(Blocker { text: "`{}` returns no promise", span });
    }
    if operation.model.throws != Throws::Never {
        let span = ir.span(call);
        return Err(Blocker { text: "`{}` may throw before it returns a promise", span });
    }
    if !operation.only_reads_files() {
        let span = ir.span(call);
        return Err(Blocker { text: "`{}` writes: its place in the order matters", span });
    }
    let is_kept = match declarator.shape {
        PatternShape::Name(var) => ir.variable(var).is_read,
        _ => true,
    };
    if operation.model.result == ResultKind::Undefined || !is_kept {
        return Err(shown("`{}` only checks that it succeeds: what follows relies on that"));
    }
    if declarator.shape == PatternShape::Complex {
        let span = declarator.pattern;
        return Err(Blocker { text: "binding `{}` may run code", span });
    }
    // Only then is the text of the call all that the operand of `await` evaluates.
    let others = ir.insts[stmt.first.index()..value.index()]
        .iter()
        .zip(stmt.first.index()..)
        .any(|(_, index)| !ir.span(call).contains(ir.span(InstId::new(index))));
    // A function in an argument is a place for another finding, which would overlap this one.
    let has_closure = FileIr::range(stmt.first, value)
        .any(|id| matches!(ir.inst(id), Inst::Closure(_) | Inst::Class(_)));
    if others || has_closure {
        return Err(shown("`{}` computes more than the operation it waits for"));
    }
    Ok(Site { stmt, keyword, declarator, suspension: value, operation })
}

fn single_declaration<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
) -> Result<(DeclKind, &'p Declarator), Blocker> {
    let span = stmt.span;
    match &stmt.kind {
        StmtKind::Declaration { is_exported: true, .. } => {
            Err(Blocker { text: "`{}` is exported where it is declared", span })
        }
        StmtKind::Declaration { kind, declarators, .. } => match (kind, declarators.as_ref()) {
            (DeclKind::Using | DeclKind::AwaitUsing, _) => {
                Err(Blocker { text: "`{}` ties a resource to its scope", span })
            }
            (kind, [declarator]) => Ok((*kind, declarator)),
            _ => Err(Blocker { text: "`{}` declares more than one name", span }),
        },
        StmtKind::Expression { value } if is_awaited_read(analysis, *value) => Err(Blocker {
            text: "`{}` only checks that it succeeds: what follows relies on that",
            span,
        }),
        _ => Err(Blocker { text: "`{}` is no declaration", span }),
    }
}

fn is_awaited_read(analysis: &FileAnalysis<'_>, value: InstId) -> bool {
    match analysis.ir.inst(value) {
        Inst::Await(call) => analysis
            .operation(call, &Known::default())
            .is_ok_and(|operation| operation.only_reads_files()),
        _ => false,
    }
}
