//! Operators that throw for big integers: division by zero, negative exponents, results that are too large
//! (ECMA-262, 6.1.6.2). Of numbers they throw for none.

use headstart_callgraph::{Declared, InstRef};
use headstart_ir::{FileIr, Inst, Key, Literal, Type, TypeHint, TypeRef};

use super::Summaries;

/// How deep a value or a type is looked into.
const DEEPEST: u32 = 8;

/// Methods that give big integers: `BigInt.asIntN`, `process.hrtime.bigint`, those of a `DataView` or a
/// buffer.
const GIVE_BIG: [&str; 3] = ["asIntN", "asUintN", "bigint"];

impl Summaries<'_> {
    /// Whether an instruction is an operator in which a big integer may take part, by its literal, its type
    /// or what it comes from, and for which that may throw.
    #[must_use]
    pub fn may_throw_for_big(&self, at: InstRef) -> bool {
        match self.graph.files()[at.file as usize].inst(at.inst) {
            Inst::Operator { left, right, is_partial: true, .. } => {
                let is_big = |inst| self.may_be_big(InstRef { inst, ..at }, DEEPEST);
                is_big(left) || is_big(right)
            }
            _ => false,
        }
    }

    /// Whether a value may be a big integer, by its literal, its type or what it comes from.
    pub(super) fn may_be_big_integer(&self, at: InstRef) -> bool {
        self.may_be_big(at, DEEPEST)
    }

    fn may_be_big(&self, at: InstRef, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let ir = self.graph.files()[at.file as usize];
        let again = |inst| self.may_be_big(InstRef { inst, ..at }, depth);
        if self.graph.declared(at) == Some(Declared::BigInt) {
            return true;
        }
        let is_method = |callee| match ir.inst(callee) {
            Inst::Get { key, .. } => match key.get() {
                Key::Name(name) => {
                    GIVE_BIG.contains(&ir.name(name)) || ir.name(name).starts_with("readBig")
                }
                Key::Private(_) | Key::Computed(_) => false,
            },
            Inst::LoadGlobal(name) => ir.name(name) == "BigInt",
            _ => false,
        };
        match ir.inst(at.inst) {
            Inst::Literal(literal) => literal == Literal::BigInt,
            Inst::LoadVar(var) => {
                let variable = ir.variable(var);
                let given = || {
                    let init = variable.init.map(|it| ir.inst(it));
                    matches!(init, Some(Inst::StoreVar { value, .. }) if again(value))
                };
                let imported = || {
                    let (file, var) = self.graph.imported(at.file, var)?;
                    let inst = self.graph.always(file, var)?;
                    (file != at.file).then(|| self.may_be_big(InstRef { file, inst }, depth))
                };
                variable.hint == TypeHint::BigInt
                    || has_big(ir, variable.ty, DEEPEST)
                    || given()
                    || imported() == Some(true)
            }
            Inst::Operator { left, right, .. } | Inst::Select(left, right) => {
                again(left) || again(right)
            }
            Inst::Convert(value) | Inst::Await(value) => again(value),
            Inst::Call { callee, .. } | Inst::CallMethod { method: callee, .. } => {
                is_method(callee)
            }
            _ => false,
        }
    }
}

/// Whether a type leaves room for a big integer.
fn has_big(ir: &FileIr, ty: TypeRef, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match ir.types.get(ty.index()) {
        Some(Type::BigInt) => true,
        Some(Type::Union(types)) => types.iter().any(|&it| has_big(ir, it, depth)),
        _ => false,
    }
}
