//! Objects with methods that unknown code has been handed, or that something unknown is copied over: their
//! methods may not be what the program says. The call graph goes on with the program's own, and whoever
//! asks is told of whom that depends.
//!
//! Only what is handed itself counts, and what a list or a literal that is handed holds. Who gets an object
//! by some other way hardly ever replaces what it has.

use headstart_ir::{Decorated, FileIr, Inst, InstId, Key as IrKey, PropKey};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::CallGraph;
use crate::ids::{InstRef, Key, Node, Object, id};
use crate::object::{Cause, Kind};
use crate::site::How;
use crate::solver::Solver;

/// In how many steps what is handed may hold something.
const DEEPEST: u32 = 1;

/// An object whose methods may be replaced.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Handed<'p> {
    /// How.
    pub how: Handing,
    /// Who may do that: a package, a decorator, what is called; empty where that has no name.
    pub by: String,
    /// What its methods, or the property, belong to: the name of a class, or of the property; empty where
    /// it has none.
    pub of: &'p str,
    /// Where.
    pub at: InstRef,
}

/// How the methods of an object may come to be replaced.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Handing {
    /// Code that nobody knows is given it, or the class that it is of.
    Given,
    /// Its class extends one that nobody knows.
    Extended,
    /// A decorator that nobody knows is written at its class.
    Decorated,
    /// Properties that nobody knows are copied over it.
    CopiedOver,
    /// A decorator is written at the property.
    Field,
    /// The program puts something under keys that it works out, in what is too much to tell apart.
    Stored,
}

/// What is known of all of them, by their place in the list.
#[derive(Debug, Default)]
pub(crate) struct AllHanded<'p> {
    pub(crate) list: Vec<Handed<'p>>,
    objects: FxHashMap<Object, usize>,
    fields: FxHashMap<(Object, Key), usize>,
    /// Where the global object is handed to unknown code.
    pub(crate) globals: Option<InstRef>,
}

/// What is handed, while it is collected.
struct Collecting<'s, 'p> {
    solver: &'s Solver<'p>,
    all: AllHanded<'p>,
    /// Values and objects that have been gone through, with the steps that were left: who is handed one
    /// first is who is named.
    given: FxHashSet<(Node, u32)>,
    seen: FxHashSet<(Object, u32)>,
    /// The places in the list, by what stands there.
    numbers: FxHashMap<Handed<'p>, usize>,
}

impl<'p> AllHanded<'p> {
    /// From a call graph that is complete.
    pub(crate) fn of(solver: &Solver<'p>) -> Self {
        let mut collecting = Collecting {
            solver,
            all: Self::default(),
            given: FxHashSet::default(),
            seen: FxHashSet::default(),
            numbers: FxHashMap::default(),
        };
        collecting.calls();
        collecting.parents();
        collecting.copies();
        collecting.heirs();
        collecting.fields();
        collecting.stored();
        collecting.all
    }
}

impl<'p> Collecting<'_, 'p> {
    /// Notes what calls of unknown code are given.
    fn calls(&mut self) {
        let solver = self.solver;
        let mut order: Vec<usize> = (0..solver.sites.len()).collect();
        order.sort_by_key(|&it| solver.sites[it].origin);
        for site in order.into_iter().map(|it| solver.sites[it]) {
            let Some(at) = solver.numbering.inst_of(site.origin) else { continue };
            if site.count == 0 || site.how == How::Callback {
                continue;
            }
            let Some(cause) = self.unknown(site.callee) else { continue };
            let ir = solver.files[at.file as usize];
            let decoration = solver.decorations.get(&site.origin);
            let (how, by) = match decoration.map(|it| (it.target, it.name)) {
                Some((Decorated::Class(_), name)) => {
                    (Handing::Decorated, name.map_or("", |it| ir.name(it)).to_owned())
                }
                // It is given the one member.
                Some(_) => continue,
                None => (Handing::Given, named(cause).unwrap_or_else(|| called(ir, at.inst))),
            };
            let args = &solver.args[site.args as usize..(site.args + site.count) as usize];
            for arg in args {
                self.give(arg.node, how, &by, at, DEEPEST);
            }
        }
    }

    /// Why nobody knows what is called, where code of others may be.
    fn unknown(&self, callee: Node) -> Option<Cause<'p>> {
        let mut kinds = self.solver.flow.objects(callee).map(|it| self.solver.objects.kind(it));
        kinds.find_map(|kind| match kind {
            Kind::Unknown(cause) if is_of_others(cause) => Some(cause),
            _ => None,
        })
    }

    fn give(&mut self, value: Node, how: Handing, by: &str, at: InstRef, steps: u32) {
        if self.given.insert((value, steps)) {
            for object in self.solver.flow.objects(value) {
                if self.seen.insert((object, steps)) {
                    self.give_object(object, how, by, at, steps);
                }
            }
        }
    }

    fn give_object(&mut self, object: Object, how: Handing, by: &str, at: InstRef, steps: u32) {
        let solver = self.solver;
        match solver.objects.kind(object) {
            Kind::Member(member) => {
                let member = solver.members.get(member);
                let is_globals = member.module == "globals" && member.path.is_empty();
                if is_globals && self.all.globals.is_none() {
                    self.all.globals = Some(at);
                }
                return;
            }
            Kind::Literal(_) | Kind::Typed(..) => {
                if let Some(steps) = steps.checked_sub(1) {
                    let held = solver.props.keys(object).into_iter().filter(|key| key.is_held());
                    let nodes: Vec<Node> =
                        held.filter_map(|key| solver.existing_prop(object, key)).collect();
                    for node in nodes {
                        self.give(node, how, by, at, steps);
                    }
                }
            }
            _ => {}
        }
        self.note(object, how, by, at);
    }

    fn note(&mut self, object: Object, how: Handing, by: &str, at: InstRef) {
        if self.all.objects.contains_key(&object) {
            return;
        }
        let Some(of) = self.name(object) else { return };
        let number = self.number(Handed { how, by: by.to_owned(), of, at });
        self.all.objects.insert(object, number);
    }

    fn number(&mut self, handed: Handed<'p>) -> usize {
        let list = &mut self.all.list;
        *self.numbers.entry(handed).or_insert_with_key(|handed| {
            list.push(handed.clone());
            list.len() - 1
        })
    }

    /// What an object with methods is called; none where it can have none that the program calls.
    fn name(&self, object: Object) -> Option<&'p str> {
        let solver = self.solver;
        let class = |number: u32| {
            let (file, class) = solver.numbering.class_of(number);
            let ir = solver.files[file];
            ir.class(class).name.map_or("", |it| ir.name(it))
        };
        let function = |number: u32| {
            let at = solver.numbering.function_of(number);
            let ir = solver.files[at.file as usize];
            ir.function(at.function).name.map_or("", |it| ir.name(it))
        };
        match solver.objects.kind(object) {
            Kind::Class(number) | Kind::Prototype(number) | Kind::Instance(number) => {
                Some(class(number))
            }
            Kind::Function(number)
            | Kind::FunctionPrototype(number)
            | Kind::FunctionInstance(number) => Some(function(number)),
            Kind::Literal(_) | Kind::Exports(_) => Some(""),
            _ => None,
        }
    }

    /// Notes classes that extend what nobody knows.
    fn parents(&mut self) {
        let solver = self.solver;
        for class in 0..id(solver.parents.len()) {
            let Some(cause) = self.unknown(solver.parents[class as usize]) else { continue };
            let (file, number) = solver.numbering.class_of(class);
            let ir = solver.files[file];
            let Some(parent) = ir.class(number).super_class else { continue };
            let Some(object) = solver.objects.existing(Kind::Instance(class)) else { continue };
            let at = InstRef { file: id(file), inst: parent };
            let by = named(cause).unwrap_or_else(|| text_of(ir, parent));
            self.note(object, Handing::Extended, &by, at);
        }
    }

    /// Notes what properties that nobody knows are copied over.
    fn copies(&mut self) {
        let solver = self.solver;
        let mut copies: Vec<_> = solver.copied_over.iter().collect();
        copies.sort_unstable_by_key(|it| (*it.1, *it.0));
        for (&(object, from), &origin) in copies {
            let is_open = solver.flow.objects(from).any(|it| match solver.objects.kind(it) {
                Kind::Unknown(cause) => is_of_others(cause) && cause != Cause::Escaped,
                _ => false,
            });
            let Some(at) = solver.numbering.inst_of(origin).filter(|_| is_open) else { continue };
            self.note(object, Handing::CopiedOver, "", at);
        }
    }

    /// Whoever has a class or a function may replace what its instances, and those of what extends it,
    /// inherit.
    fn heirs(&mut self) {
        let solver = self.solver;
        let handed = |all: &AllHanded<'p>, kind| {
            solver.objects.existing(kind).and_then(|it| all.objects.get(&it).copied())
        };
        let mut found: Vec<(Object, usize)> = Vec::new();
        for class in 0..id(solver.parents.len()) {
            let ancestors = solver.ancestors(class);
            let by_class = ancestors.iter().find_map(|&it| handed(&self.all, Kind::Class(it)));
            let inherited = by_class.or_else(|| {
                ancestors.iter().find_map(|&it| handed(&self.all, Kind::Prototype(it)))
            });
            // The constructor of what nobody knows runs for those who extend it by others, too.
            let extended = || {
                let of = ancestors.iter().find_map(|&it| handed(&self.all, Kind::Instance(it)));
                of.filter(|&it| self.all.list[it].how == Handing::Extended)
            };
            let for_kind = |kind: Kind<'p>, number: Option<usize>| {
                Some((solver.objects.existing(kind)?, number?))
            };
            found.extend(for_kind(Kind::Class(class), by_class));
            let inherited = inherited.or_else(extended);
            found.extend(for_kind(Kind::Prototype(class), inherited));
            found.extend(for_kind(Kind::Instance(class), inherited));
        }
        for function in 0..id(solver.functions.len()) {
            let Some(instance) = solver.objects.existing(Kind::FunctionInstance(function)) else {
                continue;
            };
            let of = handed(&self.all, Kind::Function(function))
                .or_else(|| handed(&self.all, Kind::FunctionPrototype(function)));
            found.extend(of.map(|it| (instance, it)));
        }
        for (object, number) in found {
            self.all.objects.entry(object).or_insert(number);
        }
    }

    /// Notes fields and accessors with decorators, for all that have them.
    fn fields(&mut self) {
        let solver = self.solver;
        let mut decorated: FxHashMap<u32, Vec<(Key, usize)>> = FxHashMap::default();
        for (origin, decoration) in solver.decorated_fields() {
            let Decorated::Field { class, key, .. } = decoration.target else { continue };
            let Some(at) = solver.numbering.inst_of(origin) else { continue };
            let (file, ir) = (at.file as usize, solver.files[at.file as usize]);
            let name = |it: IrKey| match it {
                IrKey::Name(name) | IrKey::Private(name) => ir.name(name),
                IrKey::Computed(_) => "",
            };
            let by = decoration.name.map_or("", |it| ir.name(it)).to_owned();
            let handed = Handed { how: Handing::Field, by, of: name(key.get()), at };
            let number = self.number(handed);
            let class = solver.numbering.class(file, class);
            let key = solver.known_key(file, key);
            decorated.entry(class).or_default().push((key, number));
        }
        if decorated.is_empty() {
            return;
        }
        for class in 0..id(solver.parents.len()) {
            let objects: Vec<Object> = [Kind::Instance(class), Kind::Class(class)]
                .into_iter()
                .filter_map(|it| solver.objects.existing(it))
                .collect();
            for ancestor in solver.ancestors(class) {
                for &(key, number) in decorated.get(&ancestor).into_iter().flatten() {
                    for &object in &objects {
                        self.all.fields.entry((object, key)).or_insert(number);
                    }
                }
            }
        }
    }
}

impl Collecting<'_, '_> {
    /// Notes methods that what the program puts under computed keys may take the place of.
    fn stored(&mut self) {
        let solver = self.solver;
        let Some((origin, methods)) = solver.widened.replaced_methods() else { return };
        let Some(at) = solver.numbering.inst_of(origin) else { return };
        let mut methods: Vec<(Object, Key)> = methods.iter().copied().collect();
        methods.sort_unstable();
        let mut on_prototypes: FxHashMap<Object, Vec<(Key, usize)>> = FxHashMap::default();
        for (object, key) in methods {
            let Some(of) = self.name(object) else { continue };
            let number = self.number(Handed { how: Handing::Stored, by: String::new(), of, at });
            self.all.fields.entry((object, key)).or_insert(number);
            if let Kind::Prototype(_) = solver.objects.kind(object) {
                on_prototypes.entry(object).or_default().push((key, number));
            }
        }
        if on_prototypes.is_empty() {
            return;
        }
        // What is on a prototype is read by way of the instances.
        for class in 0..id(solver.parents.len()) {
            let Some(instance) = solver.objects.existing(Kind::Instance(class)) else { continue };
            for ancestor in solver.ancestors(class) {
                let prototype = solver.objects.existing(Kind::Prototype(ancestor));
                let found = prototype.and_then(|it| on_prototypes.get(&it));
                for &(key, number) in found.into_iter().flatten() {
                    self.all.fields.entry((instance, key)).or_insert(number);
                }
            }
        }
    }
}

impl<'p> CallGraph<'p> {
    fn all_handed(&self) -> &AllHanded<'p> {
        self.handed.get_or_init(|| AllHanded::of(&self.solver))
    }

    /// All objects whose methods may be replaced.
    #[must_use]
    pub fn handed(&self) -> &[Handed<'p>] {
        &self.all_handed().list
    }

    /// Where unknown code is handed the global object.
    #[must_use]
    pub fn handed_globals(&self) -> Option<InstRef> {
        self.all_handed().globals
    }

    /// Whether reading or writing a property at an instruction goes by what somebody may have replaced:
    /// a method or an accessor, or anything that is written; by its place in [`Self::handed`].
    #[must_use]
    pub fn handed_at(&self, at: InstRef) -> Option<usize> {
        if self.all_handed().list.is_empty() {
            return None;
        }
        let ir = self.solver.files[at.file as usize];
        let (object, key) = match ir.inst(at.inst) {
            Inst::Get { object, key } | Inst::Set { object, key, .. } => (object, key),
            _ => return None,
        };
        // Nobody else has a literal that is being made.
        if ir.inst(object) == Inst::Object {
            return None;
        }
        self.field_at(at, object, key).or_else(|| self.method_at(at, object))
    }

    fn receivers(&self, file: u32, object: InstId) -> impl Iterator<Item = Object> {
        let number = self.solver.numbering.inst(file as usize, object);
        self.solver.flow.objects(self.solver.values[number as usize])
    }

    fn field_at(&self, at: InstRef, object: InstId, key: PropKey) -> Option<usize> {
        if self.all_handed().fields.is_empty() {
            return None;
        }
        let key = self.solver.known_key(at.file as usize, key);
        self.receivers(at.file, object)
            .find_map(|it| self.all_handed().fields.get(&(it, key)).copied())
    }

    fn method_at(&self, at: InstRef, object: InstId) -> Option<usize> {
        let solver = &self.solver;
        let handed = self
            .receivers(at.file, object)
            .find_map(|it| self.all_handed().objects.get(&it).copied())?;
        let ir = solver.files[at.file as usize];
        let is_code = |it: Object| {
            matches!(solver.objects.kind(it), Kind::Function(_) | Kind::Class(_) | Kind::Bound(_))
        };
        let number = solver.numbering.inst(at.file as usize, at.inst);
        let is_asked = matches!(ir.inst(at.inst), Inst::Set { .. })
            || solver.flow.objects(solver.values[number as usize]).any(is_code)
            || self.has_accessor(at);
        is_asked.then_some(handed)
    }
}

/// Whether code may be somebody else's: what is too much to tell apart is the program's own.
fn is_of_others(cause: Cause<'_>) -> bool {
    !matches!(
        cause,
        Cause::TooMany | Cause::Narrowed | Cause::ComputedKey | Cause::Model(_) | Cause::Data
    )
}

/// What unknown code is called, where it comes from something that has a name.
fn named(cause: Cause<'_>) -> Option<String> {
    match cause {
        Cause::Package(name) | Cause::Outside(name) | Cause::Global(name) => Some(name.to_owned()),
        _ => None,
    }
}

/// What a call calls, in a word or two.
fn called(ir: &FileIr, call: InstId) -> String {
    match ir.inst(call) {
        Inst::Call { callee, .. } | Inst::New { callee, .. } => text_of(ir, callee),
        Inst::CallMethod { method, .. } => text_of(ir, method),
        _ => String::new(),
    }
}

fn text_of(ir: &FileIr, value: InstId) -> String {
    match ir.inst(value) {
        Inst::LoadVar(var) => ir.name(ir.variable(var).name).to_owned(),
        Inst::LoadGlobal(name) => ir.name(name).to_owned(),
        Inst::Get { object, key } => match (key.get(), ir.inst(object)) {
            (IrKey::Name(name), Inst::LoadVar(_) | Inst::LoadGlobal(_)) => {
                format!("{}.{}", text_of(ir, object), ir.name(name))
            }
            (IrKey::Name(name), Inst::This) => format!("this.{}", ir.name(name)),
            (IrKey::Name(name), _) => ir.name(name).to_owned(),
            _ => String::new(),
        },
        Inst::Call { .. } => called(ir, value),
        _ => String::new(),
    }
}

impl Solver<'_> {
    /// Notes what is copied over an object that may have methods, or stored in it under a computed key.
    pub(crate) fn note_copied_over(&mut self, object: Object, from: Node, origin: u32) {
        let has_methods = matches!(
            self.objects.kind(object),
            Kind::Instance(_)
                | Kind::Class(_)
                | Kind::Prototype(_)
                | Kind::FunctionInstance(_)
                | Kind::FunctionPrototype(_)
                | Kind::Literal(_)
        );
        if has_methods && origin != u32::MAX {
            self.copied_over.entry((object, from)).or_insert(origin);
        }
    }
}
