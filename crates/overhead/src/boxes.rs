//! Boxes: variables that closures share with code behind a site become `{ v: … }`.

use headstart_ir::order;
use oxc_semantic::{Scoping, SymbolFlags, SymbolId};
use oxc_span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::carry::{Boxed, contains};
use crate::convert::{AsyncFunction, Converter, blanks_after};
use crate::facts::{Called, VarDeclaration};
use crate::lower::{Lowered, Unsupported};
use crate::rope::{Rope, rope};

impl Converter<'_> {
    /// Gives boxes to variables: every mention becomes one of the box's content.
    pub(crate) fn make_boxes(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        wanted: &[Boxed],
        unboxed: &FxHashSet<SymbolId>,
    ) -> Lowered<FxHashMap<SymbolId, String>> {
        let mut boxed = FxHashMap::default();
        let mut open: Vec<Boxed> = wanted.to_vec();
        while let Some(Boxed { symbol, early }) = open.pop() {
            if boxed.contains_key(&symbol) || unboxed.contains(&symbol) {
                continue;
            }
            let flags = self.scoping.symbol_flags(symbol);
            if flags.contains(SymbolFlags::Function) {
                return Err(Unsupported("a function that is assigned to and that closures share"));
            }
            if self.facts.deleted.contains(&symbol) {
                return Err(Unsupported("a variable that it deletes and that closures share"));
            }
            let own = self.scoping.symbol_name(symbol).to_owned();
            if !self.shared.contains_key(&symbol) && self.is_shared(it.index, symbol) {
                self.wanted.push((symbol, early));
                continue;
            }
            let shared = self.shared.get(&symbol).map(|(name, _)| name.clone());
            let is_shared = shared.is_some();
            let name = shared.unwrap_or_else(|| self.facts.fresh(&format!("{own}$")));
            let is_var = flags.contains(SymbolFlags::FunctionScopedVariable)
                && !flags.contains(SymbolFlags::CatchVariable);
            if !is_shared {
                self.box_mentions(symbol, &own, &name, early && !is_var);
            }
            boxed.insert(symbol, name.clone());
            if is_var {
                self.box_var(it, symbol, &name, &mut open)?;
            } else if !flags.intersects(SymbolFlags::Class) {
                let short = self.facts.bound_short.contains(&symbol);
                let key = if short { format!("{own}: ") } else { String::new() };
                self.edits.replace(self.scoping.symbol_span(symbol), rope![key, &name, ".v"]);
            }
        }
        Ok(boxed)
    }

    /// A boxed `var` or parameter. A declaration that declares one becomes an assignment, so all
    /// that it declares are boxed.
    fn box_var(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        symbol: SymbolId,
        name: &str,
        open: &mut Vec<Boxed>,
    ) -> Lowered {
        let declares = |it: &&VarDeclaration| it.symbols.iter().any(|it| it.0 == symbol);
        let all: Vec<VarDeclaration> = self.facts.vars.iter().filter(declares).cloned().collect();
        let is_param = self.facts.declared_at.get(&symbol) == Some(&0);
        let moved = crate::params::moved(it.params);
        let stuck = self.facts.mentions(symbol).any(|mention| {
            mention.span.start < it.params.span.end
                && !moved.iter().any(|moved| {
                    // Its box is made behind the parameter that it is bound by.
                    contains(*moved, mention.span)
                        && moved.start > self.scoping.symbol_span(symbol).end
                })
        });
        if is_param && stuck || all.iter().any(|it| it.takes_apart) {
            return Err(Unsupported("a `var` or a parameter that closures change"));
        }
        for it in &all {
            let end = it.span.start + 3;
            // A line break in front of `var`, or behind a variable without a value, stands for a semicolon, and would
            // not in front of a bracket.
            let begin = if it.opens_array { "void 0, " } else { "" };
            let ended = |span: Span| if !it.in_head && span.end == it.span.end { ";" } else { "" };
            self.edits.replace(
                Span::new(it.span.start, end + blanks_after(self.source, end)),
                begin.into(),
            );
            it.types.iter().for_each(|span| self.edits.replace(*span, ended(*span).into()));
            for &(other, span) in &it.symbols {
                if other == symbol {
                    self.edits.replace(span, rope![name, ".v", ended(span)]);
                } else {
                    open.push(Boxed { symbol: other, early: false });
                }
            }
        }
        Ok(())
    }

    /// Whether a function inside that has been converted mentions a variable.
    fn is_shared(&self, function: usize, symbol: SymbolId) -> bool {
        self.facts.mentions(symbol).any(|it| {
            let mut at = it.function;
            while let Some(inner) = at.filter(|&inner| inner != function) {
                if self.converted.contains(&inner) || self.touched.contains(&inner) {
                    return true;
                }
                at = self.facts.functions[inner].parent;
            }
            false
        })
    }

    /// Has every mention of the shared variables be one of their boxes.
    pub(crate) fn share(&mut self) {
        for (symbol, (name, early)) in self.shared.clone() {
            let own = self.scoping.symbol_name(symbol).to_owned();
            let is_var =
                self.scoping.symbol_flags(symbol).contains(SymbolFlags::FunctionScopedVariable);
            self.box_mentions(symbol, &own, &name, early && !is_var);
        }
    }

    fn box_mentions(&mut self, symbol: SymbolId, own: &str, name: &str, early: bool) {
        let mentions: Vec<_> = self.facts.mentions(symbol).copied().collect();
        for it in mentions {
            let content = if early {
                format!("{}({name}, \"{own}\").v", self.runtime.early())
            } else {
                format!("{name}.v")
            };
            // Called, it must not get the box as `this`; an expression in front of it that ends
            // without a semicolon must not become a call.
            let content = match it.called {
                Called::Plainly => format!("{}({content})", self.runtime.own()),
                Called::ByNew => format!("({content})"),
                Called::No => content,
            };
            let key = if it.shorthand { format!("{own}: ") } else { String::new() };
            self.edits.replace(it.span, rope![key, content]);
        }
    }
}

/// Boxes for the parameters in a part of the list that need them.
pub(crate) fn boxes_of_params(
    part: Span,
    moved: &[Span],
    boxed: &FxHashMap<SymbolId, String>,
    scoping: &Scoping,
) -> Rope {
    let mut all: Vec<(&SymbolId, &String)> = boxed
        .iter()
        .filter(|(symbol, _)| {
            let span = scoping.symbol_span(**symbol);
            contains(part, span) && !moved.iter().any(|moved| contains(*moved, span))
        })
        .collect();
    order::sort(&mut all);
    let mut text = Rope::default();
    for (&symbol, name) in all {
        text = rope![text, "const ", name, " = { v: ", scoping.symbol_name(symbol), " };\n"];
    }
    text
}
