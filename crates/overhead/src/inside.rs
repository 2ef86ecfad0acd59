//! Awaits of fast functions in async functions that stay as they are.
//!
//! Purpose: who calls such a function always gets a promise, but what it awaits need not make it wait.
//! Input: an async function that was not converted. Output: edits of its awaits, so that those of calls
//! with a fast form only wait if there is something to wait for:
//!
//! ```js
//! await f(x);
//! // becomes
//! (then = (value = f$fast(x))?.then) || --fuel < 0 ? (fuel = 256, await hold(value, then)) : value
//! ```

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashSet;

use crate::convert::{AsyncFunction, Body, Converter};
use crate::fuel::{FIRST, NEXT};
use crate::guard::{applied, fast_of};
use crate::report::Eased;
use crate::rope::{Rope, rope};
use crate::shape;

impl Converter<'_> {
    /// Edits the awaits of a function that stand in `least_loops` loops or more; `fast` are the places
    /// where the names of callees begin that have a fast form. Returns what was edited.
    pub(crate) fn edit_awaits(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        fast: &FxHashSet<u32>,
        least_loops: u32,
    ) -> Eased {
        let of = self.facts.infers(it.index).then(|| self.runtime.of());
        let mut awaits = Awaits {
            converter: self,
            of,
            fast,
            least_loops,
            loops: 0,
            begins: None,
            whole: None,
            eased: Eased::default(),
            fuel: false,
        };
        match it.body {
            Body::Statements(body) => awaits.visit_function_body(body),
            Body::Expression(body) => awaits.visit_expression(body),
        }
        let Awaits { eased, fuel, .. } = awaits;
        if eased.count == 0 {
            return eased;
        }
        self.touched.insert(it.index);
        let names = self.names;
        let fuel = if fuel { format!(", {} = {FIRST}", names.fuel) } else { String::new() };
        let all = [&names.value, &names.then, &names.method, &names.found, &names.holder];
        let all = all.map(String::as_str).join(", ");
        let declared = rope!["let ", all, fuel, ";"];
        match it.body {
            Body::Statements(body) => match body.directives.last() {
                Some(last) => {
                    let text = rope![self.edits.render(last.span), "; ", declared];
                    self.edits.replace(last.span, text);
                }
                None => self.edits.replace(Span::sized(body.span.start, 1), rope!["{ ", declared]),
            },
            Body::Expression(body) => {
                let text = self.edits.render(body.span());
                self.edits.replace(body.span(), rope!["{ ", declared, " return ", text, "; }"]);
            }
        }
        eased
    }
}

struct Awaits<'l, 'x> {
    converter: &'l mut Converter<'x>,
    /// In TypeScript, what types are inferred by, if any are.
    of: Option<String>,
    fast: &'l FxHashSet<u32>,
    least_loops: u32,
    loops: u32,
    /// Where the statement begins.
    begins: Option<u32>,
    /// The await that is all of the statement that comes next.
    whole: Option<Span>,
    eased: Eased,
    fuel: bool,
}

impl Awaits<'_, '_> {
    /// The call that is awaited, if it has a fast form.
    fn call<'t, 'a>(&self, it: &'t Expression<'a>) -> Option<&'t ast::CallExpression<'a>> {
        let Expression::CallExpression(call) = it.without_parentheses() else { return None };
        let callee = match call.callee.without_parentheses() {
            Expression::Identifier(it) => it.span,
            Expression::PrivateFieldExpression(it) => it.field.span,
            // The call of a fast method is of any type.
            Expression::StaticMemberExpression(it) if self.of.is_none() => it.property.span,
            _ => return None,
        };
        self.fast.contains(&callee.start).then_some(call)
    }

    /// The call, by way of the fast method where it is one of a method that may have one.
    fn called(&self, it: &ast::CallExpression<'_>) -> Rope {
        let edits = &self.converter.edits;
        let Expression::StaticMemberExpression(member) = &it.callee else {
            return edits.render(it.span);
        };
        let names = self.converter.names;
        let object = edits.render(member.object.span());
        let (object, receiver) = match &member.object {
            Expression::Super(_) => (object, Rope::text("this")),
            Expression::ThisExpression(_) => (object.clone(), object),
            _ => (rope!["(", &names.holder, " = ", object, ")"], Rope::text(&names.holder)),
        };
        let read = rope![&names.method, " = ", object, ".", member.property.name.as_str(), ", "];
        let (method, key) = (Rope::text(&names.method), &self.converter.facts.fast_key);
        let target = fast_of(&read, &method, &names.found, key);
        applied(&target, &receiver, &it.arguments, edits)
    }

    /// What an await becomes. Nothing that begins with a parenthesis may begin a statement, which may
    /// stand behind one without a semicolon.
    fn edit(&mut self, it: &ast::AwaitExpression<'_>, call: &ast::CallExpression<'_>) {
        self.eased.add(call.callee.span().source_text(self.converter.source));
        let call = self.called(call);
        let call = match &self.of {
            Some(of) => rope![of, "(", call, ")"],
            None => call,
        };
        let names = self.converter.names;
        let [before, behind] = shape::check(names);
        let wait = rope!["await ", shape::hold(self.converter.runtime, names, &names.value)];
        let (count, wait) = if self.loops > 0 {
            let fuel = &names.fuel;
            (
                format!(" || --{fuel} < 0"),
                rope!["(", fuel, " = ", NEXT.to_string(), ", ", wait, ")"],
            )
        } else {
            (String::new(), wait)
        };
        let chosen =
            rope![before, "(", &names.value, " = ", call, ")", behind, count, " ? ", wait, " : "];
        let text = if self.whole == Some(it.span) {
            rope![&names.value, " = ", chosen, "0"]
        } else {
            rope!["(", chosen, &names.value, ")"]
        };
        self.converter.edits.replace(it.span, text);
        self.fuel |= self.loops > 0;
    }

    fn in_loop(&mut self, walk: impl FnOnce(&mut Self)) {
        self.loops += 1;
        walk(self);
        self.loops -= 1;
    }
}

impl<'a> Visit<'a> for Awaits<'_, '_> {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}
    fn visit_class(&mut self, _: &ast::Class<'a>) {}

    fn visit_expression_statement(&mut self, it: &ast::ExpressionStatement<'a>) {
        self.begins = Some(it.span.start);
        self.whole = match &it.expression {
            Expression::AwaitExpression(it) => Some(it.span),
            _ => None,
        };
        walk::walk_expression_statement(self, it);
    }

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        let stands = self.whole == Some(it.span) || self.begins != Some(it.span.start);
        let whole = self.whole;
        walk::walk_await_expression(self, it);
        self.whole = whole;
        if let (true, Some(call)) =
            (stands && self.loops >= self.least_loops, self.call(&it.argument))
        {
            self.edit(it, call);
        }
    }

    fn visit_for_statement(&mut self, it: &ast::ForStatement<'a>) {
        self.in_loop(|this| walk::walk_for_statement(this, it));
    }

    fn visit_for_in_statement(&mut self, it: &ast::ForInStatement<'a>) {
        self.in_loop(|this| walk::walk_for_in_statement(this, it));
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        self.in_loop(|this| walk::walk_for_of_statement(this, it));
    }

    fn visit_while_statement(&mut self, it: &ast::WhileStatement<'a>) {
        self.in_loop(|this| walk::walk_while_statement(this, it));
    }

    fn visit_do_while_statement(&mut self, it: &ast::DoWhileStatement<'a>) {
        self.in_loop(|this| walk::walk_do_while_statement(this, it));
    }
}
