//! Promises: what flows through `then`, `all` and their like (ECMA-262, 27.2).

use crate::flow::Constraint;
use crate::ids::{Key, Node, Object, SiteId};
use crate::native::Native;
use crate::object::{Cause, Kind, Origin};
use crate::site::{Arg, How, Site};
use crate::solver::Solver;

impl<'p> Solver<'p> {
    /// The promise that a call makes; it goes to the result.
    fn new_promise(&mut self, data: Site) -> (Object, Node) {
        let promise = self.typed(self.types.promise, Origin::Inst(data.origin, 0));
        self.flow.add(data.result, promise);
        let value = self.prop(promise, Key::VALUE);
        (promise, value)
    }

    /// Carries out a call of a method of promises or of the constructor.
    pub(crate) fn call_promise(&mut self, site: SiteId, native: Native) {
        let data = self.site(site);
        let args = self.site_args(site);
        let first = args.first().map_or(Node::NONE, |it| it.node);
        let (promise, value) = self.new_promise(data);
        match native {
            Native::Then => {
                let settled = self.awaited(data.this);
                let fulfilled = self.reaction(data, first, settled);
                self.constrain(fulfilled, Constraint::Await { to: value });
                if first.is_none() {
                    self.flow.edge(settled, value);
                }
                if let Some(handler) = args.get(1) {
                    let error = self.caught();
                    let handled = self.reaction(data, handler.node, error);
                    self.constrain(handled, Constraint::Await { to: value });
                }
            }
            Native::Catch => {
                let settled = self.awaited(data.this);
                self.flow.edge(settled, value);
                let error = self.caught();
                let handled = self.reaction(data, first, error);
                self.constrain(handled, Constraint::Await { to: value });
            }
            Native::Finally => {
                let settled = self.awaited(data.this);
                self.flow.edge(settled, value);
                self.reaction(data, first, Node::NONE);
            }
            Native::Resolve => self.constrain(first, Constraint::Await { to: value }),
            Native::Race => {
                let each = self.flow.node();
                self.constrain(first, Constraint::iterate(each, data.origin));
                self.constrain(each, Constraint::Await { to: value });
            }
            Native::All | Native::AllSettled => self.all(data, first, value, native),
            Native::PromiseConstructor => self.execute(data, first, promise),
            Native::WithResolvers => {
                // The result is an object that holds the promise and its resolvers.
                let object = self.object(Kind::Literal(data.origin));
                self.flow.add(data.result, object);
                for (name, kind) in [
                    ("promise", self.objects.kind(promise)),
                    ("resolve", Kind::Resolver(promise)),
                    ("reject", Kind::Resolver(promise)),
                ] {
                    let key = self.names.key(name);
                    let to = self.prop(object, key);
                    self.give(to, kind);
                }
            }
            _ => {}
        }
    }

    fn awaited(&mut self, promise: Node) -> Node {
        let value = self.flow.node();
        self.constrain(promise, Constraint::Await { to: value });
        value
    }

    fn caught(&mut self) -> Node {
        let node = self.flow.node();
        self.give_unknown(node, Cause::Caught);
        node
    }

    /// Calls a handler with a value; returns what it returns.
    fn reaction(&mut self, data: Site, handler: Node, value: Node) -> Node {
        let result = self.flow.node();
        let arg = Arg { node: value, is_spread: false };
        let (this, how) = (Node::NONE, How::Callback);
        self.new_site(
            Site { callee: handler, this, result, how, depth: data.depth + 1, ..data },
            &[arg],
        );
        result
    }

    fn all(&mut self, data: Site, list: Node, value: Node, native: Native) {
        let array = self.typed(self.types.array, Origin::Inst(data.origin, 1));
        self.flow.add(value, array);
        if native == Native::All {
            return self.constrain(list, Constraint::All { array, origin: data.origin });
        }
        let each = self.flow.node();
        self.constrain(list, Constraint::iterate(each, data.origin));
        let elements = self.prop(array, Key::ELEMENT);
        let outcome = self.object(Kind::Literal(data.origin));
        self.flow.add(elements, outcome);
        let to = self.prop(outcome, Key::ITERATOR_VALUE);
        self.constrain(each, Constraint::Await { to });
        let reason = self.names.key("reason");
        let reason = self.prop(outcome, reason);
        self.give_unknown(reason, Cause::Caught);
    }

    /// `new Promise(executor)`
    fn execute(&mut self, data: Site, executor: Node, promise: Object) {
        let resolve = self.holding(Kind::Resolver(promise));
        // What it rejects with is caught somewhere as any error.
        let reject = self.holding(Kind::Resolver(promise));
        let (this, result, how) = (Node::NONE, Node::NONE, How::Callback);
        let args = [resolve, reject].map(|node| Arg { node, is_spread: false });
        self.new_site(
            Site { callee: executor, this, result, how, depth: data.depth + 1, ..data },
            &args,
        );
    }
}
