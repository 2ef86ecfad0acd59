//! Arguments become parameters.

use crate::flow::Constraint;
use crate::ids::{Key, Node, SiteId};
use crate::object::Origin;
use crate::solver::Solver;

impl Solver<'_> {
    /// The arguments of a call become the parameters of a function.
    pub(crate) fn pass(&mut self, site: SiteId, function: u32) {
        let mut list = None;
        for (position, arg) in (0..).zip(self.site_args(site)) {
            match (arg.is_spread, list) {
                (true, None) => self.pass_list(arg.node, position, function),
                (true, Some(first)) => {
                    let elements = self.flow.node();
                    self.constrain(arg.node, Constraint::iterate(elements, u32::MAX));
                    self.pass_anywhere(elements, first, function);
                }
                (false, Some(first)) => self.pass_anywhere(arg.node, first, function),
                (false, None) => self.pass_at(arg.node, position, function),
            }
            if arg.is_spread {
                list.get_or_insert(position);
            }
        }
    }

    fn pass_at(&mut self, from: Node, position: u32, function: u32) {
        let nodes = self.functions[function as usize];
        self.pass_argument(from, Key::element(position), function);
        let to = if position < nodes.count { Node(nodes.params.0 + position) } else { nodes.rest };
        self.flow.edge(from, to);
    }

    /// `f(...list)`: its elements, one after the other.
    fn pass_list(&mut self, list: Node, first: u32, function: u32) {
        let nodes = self.functions[function as usize];
        for index in first..nodes.count {
            let (to, key) = (Node(nodes.params.0 + index), Key::element(index - first));
            self.constrain(list, Constraint::Iterate { to, key, origin: u32::MAX });
        }
        if !nodes.rest.is_none() {
            self.constrain(list, Constraint::iterate(nodes.rest, u32::MAX));
        }
        if !nodes.arguments.is_none() {
            // What is under no index of the list is read with each of them.
            for index in 0..Key::INDICES {
                let element = self.flow.node();
                let key = Key::element(index);
                self.constrain(list, Constraint::Iterate { to: element, key, origin: u32::MAX });
                self.pass_argument(element, Key::element(first + index), function);
            }
        }
    }

    /// Behind `...list`, an argument may end up anywhere.
    fn pass_anywhere(&mut self, from: Node, first: u32, function: u32) {
        let nodes = self.functions[function as usize];
        self.pass_argument(from, Key::ELEMENT, function);
        for index in first..nodes.count {
            self.flow.edge(from, Node(nodes.params.0 + index));
        }
        self.flow.edge(from, nodes.rest);
    }

    /// What is passed is an element of `arguments`.
    fn pass_argument(&mut self, from: Node, key: Key, function: u32) {
        if !self.functions[function as usize].arguments.is_none() {
            let array = self.typed(self.types.array, Origin::Arguments(function));
            let to = self.prop(array, key);
            self.flow.edge(from, to);
        }
    }
}
