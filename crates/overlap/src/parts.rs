//! Patterns of which each side of a rewrite uses its own names: TypeScript may be told to refuse names that nothing
//! reads (`noUnusedLocals`, `noUnusedParameters`).

use headstart_ir::{FileIr, Inst, InstId, Key, PatternShape, Span, Stmt, StmtKind, VarId};

use crate::again::is_read_outside;

/// What a rewrite writes for a pattern.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The pattern.
    pub(crate) pattern: Span,
    /// Its text with those names only that starting the operation uses; none where it stays as it is.
    pub(crate) in_start: Option<String>,
    /// The same of what is left of the turn.
    pub(crate) in_rest: Option<String>,
}

/// The two sides of a turn: the instructions of its body, those that start the operation, and those of them that the
/// turn does not have any more.
pub(crate) struct Sides<'s> {
    pub(crate) body: (InstId, InstId),
    pub(crate) start: &'s [(InstId, InstId)],
    pub(crate) along: &'s [(InstId, InstId)],
}

impl Sides<'_> {
    /// The parts of a pattern that some instructions bind. Only TypeScript minds.
    pub(crate) fn parts(
        &self,
        ir: &FileIr,
        bound: &[InstId],
        (pattern, shape): (Span, PatternShape),
    ) -> Parts {
        let starts = |var: VarId| {
            let reads = |id: InstId| ir.inst(id) == Inst::LoadVar(var);
            let names =
                |start: (InstId, InstId)| ir.queries(var).any(|it| ir.extent(start).contains(it));
            self.start.iter().any(|&it| FileIr::range(it.0, it.1).any(reads) || names(it))
        };
        let rests = |var: VarId| {
            is_read_outside(ir, self.body, &std::iter::once(var).collect(), self.along)
        };
        let narrowed = |is_used: &dyn Fn(VarId) -> bool| {
            ir.is_typescript.then(|| narrowed(ir, bound, shape, is_used)).flatten()
        };
        Parts { pattern, in_start: narrowed(&starts), in_rest: narrowed(&rests) }
    }

    /// The same of a declaration of one pattern that both sides compute; none of another statement.
    pub(crate) fn of_statement(&self, ir: &FileIr, stmt: &Stmt) -> Option<Parts> {
        let StmtKind::Declaration { declarators, .. } = &stmt.kind else { return None };
        let [it] = &**declarators else { return None };
        let bound: Vec<InstId> = FileIr::range(stmt.first, stmt.end).collect();
        Some(self.parts(ir, &bound, (it.pattern, it.shape)))
    }
}

/// A pattern with those of its names only that are used; none where all are, or where it is more than names.
fn narrowed(
    ir: &FileIr,
    bound: &[InstId],
    shape: PatternShape,
    is_used: &dyn Fn(VarId) -> bool,
) -> Option<String> {
    let mut names: Vec<Option<String>> = Vec::new();
    let mut is_narrower = false;
    for &id in bound {
        let Inst::StoreVar { var, value } = ir.inst(id) else {
            if matches!(ir.inst(id), Inst::Iterate(_)) && shape == PatternShape::Elements {
                names.push(None);
            }
            continue;
        };
        let name = ir.name(ir.variable(var).name);
        let used = is_used(var);
        match (shape, ir.inst(value)) {
            (PatternShape::Elements, Inst::Iterate(_)) if used => {
                *names.last_mut()? = Some(name.to_owned());
            }
            (PatternShape::Properties, Inst::Get { key, .. }) if used => {
                let Key::Name(key) = key.get() else { return None };
                let key = ir.name(key);
                let is_plain =
                    key.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'$');
                if !is_plain {
                    return None;
                }
                let text = if key == name { name.to_owned() } else { format!("{key}: {name}") };
                names.push(Some(text));
            }
            (PatternShape::Elements, Inst::Iterate(_))
            | (PatternShape::Properties, Inst::Get { .. }) => is_narrower = true,
            _ => return None,
        }
    }
    if !is_narrower {
        return None;
    }
    let used = names.iter().rposition(Option::is_some).map_or(0, |it| it + 1);
    let names: Vec<&str> = names[..used].iter().map(|it| it.as_deref().unwrap_or("")).collect();
    Some(match shape {
        PatternShape::Elements => format!("[{}]", names.join(", ")),
        _ => format!("{{ {} }}", names.join(", ")),
    })
}
