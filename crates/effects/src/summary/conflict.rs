//! Whether two locations may be the same (paper 1, section 4.4).

use std::sync::Arc;

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef, Modelled, PathKey, Start};
use headstart_ir::{Inst, InstId};
use headstart_models::ResultKind;

use super::Summaries;
use super::place::{Location, Place, Resource, Root, Which};

/// Whether two locations are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Overlap {
    /// They never are.
    No,
    /// They are if two ways lead to the same object.
    Alias,
    /// They may well be.
    Yes,
}

/// Whether a path leads into what git keeps.
fn is_in_repository(which: &Which) -> bool {
    let Which::Named(path) = which else { return false };
    path.split(['/', '\\']).any(|it| it == ".git")
}

impl Summaries<'_> {
    /// Whether two locations, seen from inside a function, may be the same. One of them is written.
    #[must_use]
    pub fn overlap(&self, function: FunctionRef, a: &Location, b: &Location) -> Overlap {
        self.overlap_until(function, (a, b), None)
    }

    /// The same, up to an instruction of the function: what it gives away only behind that, nobody else has yet.
    #[must_use]
    pub fn overlap_until(
        &self,
        function: FunctionRef,
        (a, b): (&Location, &Location),
        until: Option<InstId>,
    ) -> Overlap {
        match (a, b) {
            (Location::Memory(a), Location::Memory(b)) => {
                self.places_overlap(function, (a, b), until)
            }
            (Location::Resource(kind, which), Location::Resource(other, other_which)) => {
                resources_overlap((*kind, which), (*other, other_which))
            }
            _ => Overlap::No,
        }
    }

    /// Whether one of two reads changes what the other one sees.
    #[must_use]
    pub fn disturbs(&self, a: &Location, b: &Location) -> bool {
        use Resource::{Index, IndexRefresh};
        match (a, b) {
            (Location::Resource(a, which_a), Location::Resource(b, which_b)) => match (a, b) {
                (Index, IndexRefresh) | (IndexRefresh, Index) => true,
                (IndexRefresh, Resource::File) => is_in_repository(which_b),
                (Resource::File, IndexRefresh) => is_in_repository(which_a),
                _ => false,
            },
            _ => false,
        }
    }

    fn places_overlap(
        &self,
        function: FunctionRef,
        (a, b): (&Place, &Place),
        until: Option<InstId>,
    ) -> Overlap {
        if a.root == b.root && same_path(a, b) {
            return Overlap::Yes;
        }
        let is_unseen = |a: &Place, b: &Place| self.is_unseen(function, (a, b), until);
        if !may_share_key(a, b) || is_unseen(a, b) || is_unseen(b, a) {
            return Overlap::No;
        }
        let (Some(of_a), Some(of_b)) = (self.holders(function, a), self.holders(function, b))
        else {
            return Overlap::Alias;
        };
        if of_a.iter().any(|it| of_b.contains(it)) { Overlap::Alias } else { Overlap::No }
    }

    /// Whether two places in memory, each seen from inside a function of its own, are certainly not the same.
    #[must_use]
    pub fn are_apart(
        &self,
        (of_a, a): (FunctionRef, &Place),
        (of_b, b): (FunctionRef, &Place),
    ) -> bool {
        let is_same_root = a.root == b.root && (of_a == of_b || !a.root.is_of_call());
        if is_same_root && same_path(a, b) {
            return false;
        }
        let objects = |function: FunctionRef, place: &Place| {
            let found = self.having(function, place)?;
            (!found.contains(&AbstractObject::Unknown)).then_some(found)
        };
        if !may_share_key(a, b) {
            return true;
        }
        // Whatever lies below a place may be anywhere.
        if a.is_deep || b.is_deep {
            return false;
        }
        match (objects(of_a, a), objects(of_b, b)) {
            (Some(of_a), Some(of_b)) => !of_a.iter().any(|it| of_b.contains(it)),
            _ => false,
        }
    }

    /// Whether a place is a property of a literal or a list that the function has made and that nobody else
    /// holds, up to an instruction, and another one is found from outside, or below something else.
    fn is_unseen(
        &self,
        function: FunctionRef,
        (place, other): (&Place, &Place),
        until: Option<InstId>,
    ) -> bool {
        let (Root::Made(at), [_], false) = (place.root, &*place.keys, place.is_deep) else {
            return false;
        };
        let Some(stores) = self.stores.get(at.file as usize) else { return false };
        if self.graph.function_at(at) != function {
            return false;
        }
        let ir = self.graph.files()[at.file as usize];
        let is_call = matches!(ir.inst(at.inst), Inst::CallMethod { .. });
        let is_kept = until.is_some_and(|it| stores.is_unseen_until(ir, at.inst, it));
        // What the function makes itself may hold it where a literal does, what another one makes may not.
        let holders = stores.holders(at.inst).unwrap_or_default();
        let is_other = match other.root {
            // What it is put into leads to it.
            Root::Made(by) if by.file == at.file && holders.contains(&by.inst) => false,
            Root::Made(by) if is_call || is_kept || stores.is_by_itself(at.inst) => by != at,
            Root::Made(by) => self.graph.function_at(by) != function,
            _ => true,
        };
        let is_made = match ir.inst(at.inst) {
            Inst::CallMethod { .. } => self.makes_list(at),
            Inst::New { .. } => self.makes_collection(at),
            _ => true,
        };
        is_other && (is_kept || stores.is_unseen(ir, at.inst)) && is_made
    }

    /// Whether what a function makes there is an object of the language that nothing but variables of that function
    /// holds, until another instruction of it has run.
    #[must_use]
    pub fn is_alone_until(&self, made: InstRef, until: InstId) -> bool {
        let ir = self.graph.files()[made.file as usize];
        let is_plain = match ir.inst(made.inst) {
            Inst::New { .. } => self.makes_collection(made),
            made => matches!(made, Inst::Object | Inst::Array(_)),
        };
        let stores = self.stores.get(made.file as usize);
        is_plain && stores.is_some_and(|it| it.is_unseen_until(ir, made.inst, until))
    }

    /// Whether what is written like `new Map()` is of the language.
    fn makes_collection(&self, at: InstRef) -> bool {
        self.is_of_rows(at, |it| matches!(it.module, "ecmascript" | "globals"))
    }

    /// Whether a call makes a list, and nothing else: it is one of the language's own.
    fn makes_list(&self, at: InstRef) -> bool {
        self.is_of_rows(at, |it| {
            it.module == "ecmascript" && it.call.is_some_and(|row| row.result == ResultKind::Array)
        })
    }

    /// Whether a call is of members of models for certain, each of which is such a one.
    fn is_of_rows(&self, at: InstRef, is_one: impl Fn(&Modelled<'_>) -> bool) -> bool {
        let callees = self.callees(at);
        callees.unknown.is_empty()
            && callees.functions.is_empty()
            && callees.classes.is_empty()
            && !callees.modelled.is_empty()
            && callees.modelled.iter().all(is_one)
    }

    /// The places that hold what a value of a function is.
    #[must_use]
    pub fn places_of(&self, function: FunctionRef, value: InstId) -> Vec<Place> {
        let mut computation = self.computation(function);
        computation.roots.is_local = true;
        computation.roots.of(value)
    }

    /// The objects whose property a place is; none where they are not known.
    #[must_use]
    pub fn holders(&self, function: FunctionRef, place: &Place) -> Option<Arc<[AbstractObject]>> {
        if place.is_deep {
            return None;
        }
        let found = self.having(function, place)?;
        let is_known =
            |it: &AbstractObject| !matches!(it, AbstractObject::Unknown | AbstractObject::Outside);
        found.iter().all(is_known).then_some(found)
    }

    /// The objects, known or not, that have what is the last step of a place; none where none is found.
    fn having(&self, function: FunctionRef, place: &Place) -> Option<Arc<[AbstractObject]>> {
        let (_, way) = place.keys.split_last()?;
        let found = self.graph.reached_with_prototypes(start(function, place.root)?, way);
        (!found.is_empty()).then_some(found)
    }
}

pub(super) fn start(function: FunctionRef, root: Root) -> Option<Start> {
    Some(match root {
        Root::Parameter(position) => Start::Parameter(function, position),
        Root::This => Start::This(function),
        Root::Variable(file, var) => Start::Variable(file, var),
        Root::Instance(class) => Start::Instance(class),
        Root::Static(class) => Start::Class(class),
        Root::Exports(file) => Start::Exports(file),
        Root::Made(at) => Start::Made(at),
        Root::Global | Root::Unknown => return None,
    })
}

/// Whether two paths from the same root lead to the same place, or one to all below the other.
fn same_path(a: &Place, b: &Place) -> bool {
    let is_same_so_far =
        a.keys.iter().zip(&b.keys).all(|(&a, &b)| a == b || a == PathKey::ANY || b == PathKey::ANY);
    is_same_so_far
        && (a.keys.len() == b.keys.len()
            || (a.is_deep && a.keys.len() < b.keys.len())
            || (b.is_deep && b.keys.len() < a.keys.len()))
}

/// Whether two places may be properties of one object.
fn may_share_key(a: &Place, b: &Place) -> bool {
    match (a.is_deep, b.is_deep, a.keys.last(), b.keys.last()) {
        // A variable is no property.
        (false, _, None, _) | (_, false, _, None) => false,
        (true, ..) | (_, true, ..) => true,
        (_, _, Some(&a), Some(&b)) => a == b || a == PathKey::ANY || b == PathKey::ANY,
    }
}

/// Whether a write of one resource may be seen through another.
fn resources_overlap(a: (Resource, &Which), b: (Resource, &Which)) -> Overlap {
    use Resource as R;
    let is_file = |it: Resource| matches!(it, R::File | R::Handle);
    let is_outside =
        |it: Resource| matches!(it, R::File | R::Handle | R::Network | R::Process | R::Connection);
    let is_same = match (a.0, b.0) {
        // Another program may do anything that is outside this one.
        (R::Process, it) | (it, R::Process) if is_outside(it) => true,
        (R::Outside, it) | (it, R::Outside) if is_outside(it) || it == R::Storage => true,
        (R::File, R::File) if are_different_files(a.1, b.1) => false,
        (R::Network, R::Network) if are_different_hosts(a.1, b.1) => false,
        // What is written to one of them may be a lock for what is read of another.
        (R::Connection, R::Connection) if are_different_stores(a.1, b.1) => return Overlap::Alias,
        (R::File, R::File) | (R::Network, R::Network) if are_named_apart(a.1, b.1) => {
            return Overlap::Alias;
        }
        (a, b) if is_file(a) && is_file(b) => true,
        (R::ModuleState, R::ModuleState) => a.1 == b.1,
        // Each timer is one of its own: what it runs later has effects of its own, and which one is meant is a value.
        (R::Timers, R::Timers) => false,
        // The console prints where else the program may.
        (R::Log, R::Output) | (R::Output, R::Log) => true,
        (a, b) => a == b,
    };
    if is_same { Overlap::Yes } else { Overlap::No }
}

/// Whether two clients are connected to stores of different kinds.
fn are_different_stores(a: &Which, b: &Which) -> bool {
    let (Which::Named(a), Which::Named(b)) = (a, b) else { return false };
    !a.split('|').any(|kind| b.split('|').any(|it| it == kind))
}

/// Whether two resources have names that are not the same expression.
fn are_named_apart(a: &Which, b: &Which) -> bool {
    match (a, b) {
        (Which::Any | Which::Unless(_) | Which::Queried(_), _)
        | (_, Which::Any | Which::Unless(_) | Which::Queried(_))
        | (Which::Named(_), Which::Named(_)) => false,
        (a, b) => a != b,
    }
}

/// Whether two paths certainly name different files, neither of which lies in the other. What links
/// lead to is not known: the documentation names that.
fn are_different_files(a: &Which, b: &Which) -> bool {
    let (Which::Named(a), Which::Named(b)) = (a, b) else { return false };
    let (Some(a), Some(b)) = (segments(a), segments(b)) else { return false };
    a.0 == b.0 && a.1.iter().zip(&b.1).any(|(a, b)| !a.eq_ignore_ascii_case(b))
}

/// Whether a path is absolute, and its parts; none where `..` leads up, or nobody knows where.
fn segments(path: &str) -> Option<(bool, Vec<&str>)> {
    let is_plain = !path.is_empty() && !path.contains(['\\', ':', '~', '%']);
    let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty() && *it != ".").collect();
    (is_plain && !parts.contains(&"..")).then(|| (path.starts_with('/'), parts))
}

/// Whether two addresses certainly have different hosts.
fn are_different_hosts(a: &Which, b: &Which) -> bool {
    let (Which::Named(a), Which::Named(b)) = (a, b) else { return false };
    match (host(a), host(b)) {
        (Some(a), Some(b)) => !a.eq_ignore_ascii_case(b),
        _ => false,
    }
}

fn host(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let is_web = matches!(scheme, "http" | "https");
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let name = authority.rsplit('@').next().unwrap_or(authority);
    let name = name.split(':').next().unwrap_or(name);
    (is_web && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Which {
        Which::Named(text.to_owned())
    }

    #[test]
    fn files_differ_where_a_part_does() {
        let differ = |a, b| are_different_files(&named(a), &named(b));
        assert!(differ("a/b", "a/c"));
        assert!(differ("/tmp/x", "/tmp/y/z"));
        assert!(!differ("a", "a/b"));
        assert!(!differ("a", "./a"));
        assert!(!differ("a", "A"));
        assert!(!differ("a/../b", "c"));
        assert!(!differ("/a", "b"));
        assert!(!are_different_files(&Which::Any, &named("a")));
    }

    #[test]
    fn inputs_are_told_by_their_paths() {
        let is_input = |path| Location::Resource(Resource::File, named(path)).is_input();
        assert!(is_input("/dev/stdin"));
        assert!(is_input("/dev/fd/3"));
        assert!(is_input("/proc/self/io"));
        assert!(is_input("\\\\.\\pipe\\log"));
        assert!(!is_input("/dev/null"));
        assert!(!is_input("dev/stdin"));
        assert!(!is_input("/process/a"));
        assert!(!Location::Resource(Resource::File, Which::Any).is_input());
    }

    #[test]
    fn hosts_differ_by_name() {
        let differ = |a, b| are_different_hosts(&named(a), &named(b));
        assert!(differ("https://a.example/x", "https://b.example/x"));
        assert!(!differ("https://a.example/x", "https://a.example:8080/y"));
        assert!(!differ("/x", "/y"));
    }
}
