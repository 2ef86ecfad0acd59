//! What the program puts under names that classes and literals declare, by computed keys.

use crate::flow::Constraint;
use crate::ids::{Key, Node, Object};
use crate::object::{Cause, Kind, Origin};
use crate::solver::Solver;

impl Solver<'_> {
    /// What was written under keys that are not known. What that is for those who read by name is
    /// worked out once for each object, and once for names that a class or a literal declares.
    pub(crate) fn load_computed(&mut self, object: Object, to: Node, is_declared: bool) {
        let known = self.dynamic.get(&(object, is_declared)).copied();
        let from = known.unwrap_or_else(|| {
            let (from, node) = (self.prop(object, Key::DYNAMIC), self.flow.node());
            self.dynamic.insert((object, is_declared), node);
            let constraint = match is_declared {
                true => Constraint::Replacing { to: node },
                false => Constraint::Dynamic { to: node },
            };
            self.constrain(from, constraint);
            node
        });
        self.flow.edge(from, to);
    }

    /// What is written under computed keys takes the place of what is declared, if it is something that
    /// could: unknown code, and data from outside, leave that alone.
    pub(crate) fn read_replacing(&mut self, object: Object, to: Node) {
        if self.may_replace(object) {
            self.read_dynamic(object, to);
        }
    }

    /// Whether something that is written under a computed key may stand in for what is declared.
    pub(crate) fn may_replace(&self, object: Object) -> bool {
        match self.objects.kind(object) {
            Kind::Unknown(cause) => matches!(
                cause,
                Cause::Package(_)
                    | Cause::Outside(_)
                    | Cause::Global(_)
                    | Cause::Result
                    | Cause::Decorated(_)
                    | Cause::Mocked
            ),
            Kind::Data | Kind::Environment | Kind::Described(..) => false,
            Kind::Typed(_, origin) => origin != Origin::Outside,
            _ => true,
        }
    }
}
