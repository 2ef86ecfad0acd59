//! Objects that unknown code has had in its hands: it may call what is in them and change them.

use headstart_ir::FunctionKind;
use rustc_hash::FxHashSet;

use crate::flow::Constraint;
use crate::graph::CallGraph;
use crate::ids::{FunctionRef, Key, Node, Object};
use crate::object::{Cause, Kind, Origin};
use crate::solver::Solver;

impl<'p> Solver<'p> {
    /// Unknown code gets hold of an object.
    pub(crate) fn escape_object(&mut self, object: Object) {
        if !self.is_escaped.insert(object) {
            if self.handed_over.remove(&object) {
                self.escape_properties(object, self.escaped);
            }
            return;
        }
        self.give_widely(object);
        match self.objects.kind(object) {
            Kind::Function(function) => {
                self.escape_function(function, Cause::Entry);
                self.escape_properties(object, self.escaped);
            }
            Kind::Class(class) => {
                self.escape_members(class, true);
                self.give(self.escaped, Kind::Instance(class));
                self.escape_constructor(class);
                self.escape_properties(object, self.escaped);
            }
            Kind::Instance(class) => {
                self.give(self.instances[class as usize], Kind::Instance(class));
                self.escape_members(class, false);
                self.escape_properties(object, self.escaped);
                self.make_dirty(object, Key::DYNAMIC);
                let (key, to, origin) = (Key::DYNAMIC, self.escaped, u32::MAX);
                let parent = self.parents[class as usize];
                self.constrain(parent, Constraint::LoadInherited { key, to, origin });
            }
            Kind::Prototype(class) => self.give(self.escaped, Kind::Instance(class)),
            Kind::Typed(ty, origin) => {
                if origin == Origin::Outside {
                    return;
                }
                self.escape_properties(object, self.escaped);
                if ty != self.types.promise {
                    self.make_dirty(object, Key::ELEMENT);
                }
            }
            Kind::Literal(_) | Kind::FunctionInstance(_) => {
                self.escape_properties(object, self.escaped);
                self.make_dirty(object, Key::DYNAMIC);
            }
            Kind::Exports(_) | Kind::Module(_) | Kind::FunctionPrototype(_) => {
                self.escape_properties(object, self.escaped);
            }
            Kind::Namespace(file) => self.escape_exports(file),
            Kind::Bound(site) => {
                let of = self.site(site).this;
                self.flow.edge(of, self.escaped);
            }
            Kind::PromisifiedFunction(site) => {
                if let Some(arg) = self.site_args(site).first() {
                    self.flow.edge(arg.node, self.escaped);
                }
            }
            Kind::Resolver(promise) | Kind::NodeCallback(promise) => {
                let value = self.prop(promise, Key::VALUE);
                self.give_unknown(value, Cause::Entry);
            }
            Kind::Member(_)
            | Kind::Promisified(_)
            | Kind::Described(..)
            | Kind::Data
            | Kind::Environment
            | Kind::Unknown(_) => {}
        }
    }

    /// A member of a model gets hold of options: unknown code as any other, but it reads them at once.
    pub(crate) fn hand_over_options(&mut self, object: Object) {
        if self.is_escaped.contains(&object) {
            return;
        }
        if !matches!(self.objects.kind(object), Kind::Literal(_)) {
            return self.flow.add(self.escaped, object);
        }
        self.is_escaped.insert(object);
        self.handed_over.insert(object);
        self.give_widely(object);
        self.escape_properties(object, self.options);
        self.make_dirty(object, Key::DYNAMIC);
    }

    /// Whether somebody else than the members that take it as options has got hold of an object.
    pub(crate) fn is_in_other_hands(&self, object: Object) -> bool {
        self.is_escaped.contains(&object) && !self.handed_over.contains(&object)
    }

    /// What is described takes options: it may call what they hold, or keep them. A list that stands
    /// where they may stand is looked through.
    pub(crate) fn escape_options(&mut self, object: Object) {
        match self.objects.kind(object) {
            Kind::Typed(ty, Origin::Inst(..)) if ty == self.types.array => {
                let elements = self.prop(object, Key::ELEMENT);
                self.flow.edge(elements, self.options);
            }
            _ => self.flow.add(self.options, object),
        }
    }

    /// What an object holds goes to those who have got hold of it; what it holds later follows
    /// ([`Self::connect_escaped`]).
    fn escape_properties(&mut self, object: Object, hands: Node) {
        for key in self.props.keys(object) {
            if self.is_within(object, key) {
                let held = self.prop(object, key);
                self.flow.edge(held, hands);
            }
        }
    }

    /// A property of an object has got its node: who has got hold of the object has what that holds. Most objects in
    /// unknown hands never get more properties than they have.
    pub(crate) fn connect_escaped(&mut self, object: Object, key: Key, node: Node) {
        if self.is_escaped.contains(&object) && self.is_within(object, key) {
            let is_handed_over = self.handed_over.contains(&object);
            let hands = if is_handed_over { self.options } else { self.escaped };
            self.flow.edge(node, hands);
        }
    }

    /// Whether who has got hold of an object has what it holds under a key.
    fn is_within(&self, object: Object, key: Key) -> bool {
        match self.objects.kind(object) {
            Kind::Typed(_, Origin::Outside) => false,
            Kind::Typed(..) => key.is_held() || key.is_accessor(),
            Kind::Function(_)
            | Kind::Class(_)
            | Kind::Instance(_)
            | Kind::Literal(_)
            | Kind::FunctionInstance(_)
            | Kind::Exports(_)
            | Kind::Module(_)
            | Kind::FunctionPrototype(_) => key.is_property() || key.is_accessor(),
            _ => key.is_accessor(),
        }
    }

    /// Unknown code may have put anything under a key.
    fn make_dirty(&mut self, object: Object, key: Key) {
        let node = self.prop(object, key);
        self.give_unknown(node, Cause::Escaped);
    }

    /// Unknown code may call a function, with anything.
    pub(crate) fn escape_function(&mut self, function: u32, cause: Cause<'p>) {
        // Nobody may ever make an instance of a class that others extend.
        if let Some(&class) = self.class_of.get(&function)
            && self.flow.is_empty(self.instances[class as usize])
        {
            self.give(self.instances[class as usize], Kind::Instance(class));
        }
        let nodes = self.functions[function as usize];
        for index in 0..nodes.count {
            self.give_unknown(Node(nodes.params.0 + index), cause);
        }
        self.give_unknown(nodes.rest, cause);
        self.give_unknown(nodes.arguments, cause);
        self.flow.edge(nodes.result, self.escaped);
        self.reached[function as usize] = true;
        let reference = self.numbering.function_of(function);
        let kind = self.files[reference.file as usize].function(reference.function).kind;
        if kind == FunctionKind::Function {
            self.give_unknown(nodes.this, cause);
        }
    }

    fn escape_constructor(&mut self, class: u32) {
        let (file, id) = self.numbering.class_of(class);
        let ir = self.files[file];
        for member in &ir.class(id).members {
            if member.kind == headstart_ir::MemberKind::Constructor {
                let function = self.number_of(file, member.function);
                self.escape_function(function, Cause::Entry);
            }
        }
        self.flow.edge(self.parents[class as usize], self.escaped);
    }

    fn escape_members(&mut self, class: u32, is_static: bool) {
        for (_, function) in self.class_member(class, Key::DYNAMIC, is_static) {
            self.escape_function(function, Cause::Entry);
        }
    }

    /// Lets unknown code call whatever nothing in the program calls: a test, a framework, a
    /// decorator may. Returns whether there was anything.
    pub(crate) fn enter_unreached(&mut self) -> bool {
        let unreached: Vec<u32> =
            (0..).zip(&self.reached).filter(|(_, it)| !**it).map(|(number, _)| number).collect();
        for &function in &unreached {
            self.escape_function(function, Cause::Entry);
        }
        !unreached.is_empty()
    }
}

impl CallGraph<'_> {
    /// The functions of the program, methods aside, that unknown code has had in its hands: what it hands back may be one of them.
    #[must_use]
    pub fn escaped_functions(&self) -> FxHashSet<FunctionRef> {
        let escaped = self.solver.is_escaped.iter().map(|it| self.solver.objects.kind(*it));
        let functions = escaped.filter_map(|it| match it {
            Kind::Function(number) => Some(self.solver.numbering.function_of(number)),
            _ => None,
        });
        functions.collect()
    }
}
