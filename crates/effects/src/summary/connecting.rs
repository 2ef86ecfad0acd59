//! Clients that are connected by whoever needs them first: the promise of that is kept, or that it is so is noted, before
//! anyone else can look. Who comes first makes no difference then.

use headstart_ir::{FileIr, Inst, InstId, Key, Literal};

use super::fills::{At, Filling, Kept, Looks, Store};
use super::readers::callee_name;

/// What methods and functions are called that connect.
const CONNECTS: [&str; 4] = ["connect", "$connect", "createConnection", "open"];

impl Looks<'_> {
    /// The call that connects, where its promise is kept before anyone else can look: whoever is first connects, and
    /// all wait for that.
    pub(super) fn connecting(&self, store: Store) -> Option<InstId> {
        let &[mut call] = self.values(store.at).as_slice() else { return None };
        // `connect().then(…)`
        while let Inst::CallMethod { object, .. } = self.ir.inst(call)
            && matches!(self.ir.inst(object), Inst::Call { .. } | Inst::CallMethod { .. })
        {
            call = object;
        }
        let connects = match self.ir.inst(call) {
            // `connecting = (async () => { … })()`
            Inst::Call { callee, .. } if matches!(self.ir.inst(callee), Inst::Closure(_)) => {
                stored_name(self.ir, store.at).is_some_and(tells_of_connection)
            }
            _ => callee_name(self.ir, call).is_some_and(|it| CONNECTS.contains(&it)),
        };
        connects.then_some(call)
    }

    /// The calls that connect behind a note that this is so, which is looked at first: `if (!this.isConnected) {
    /// this.isConnected = true; await this.client.connect(); }`.
    pub(super) fn connecting_behind(&self, kept: &Kept, store: Store) -> Vec<(InstId, Filling)> {
        let is_guard = |it: &&(InstId, InstId, InstId)| it.0 < store.at && store.at < it.2;
        let looks = self.looks_of(kept, store);
        let guard = self
            .conditions
            .iter()
            .rfind(|it| is_guard(it) && self.rests_on(it.1, At::Before(it.0), &looks));
        let Some(&(_, _, end)) = guard.filter(|_| self.filling(kept, store) == Filling::Once)
        else {
            return Vec::new();
        };
        let connects =
            |it: &InstId| callee_name(self.ir, *it).is_some_and(|it| CONNECTS.contains(&it));
        FileIr::range(store.at, end).filter(connects).map(|it| (it, Filling::Notes)).collect()
    }
}

/// The name of what an instruction stores something in.
fn stored_name(ir: &FileIr, store: InstId) -> Option<&str> {
    match ir.inst(store) {
        Inst::StoreVar { var, .. } => Some(ir.name(ir.variable(var).name)),
        Inst::Set { key, .. } => match key.get() {
            Key::Name(name) | Key::Private(name) => Some(ir.name(name)),
            Key::Computed(_) => None,
        },
        _ => None,
    }
}

/// Whether a name says that something is connected, or about to be.
fn tells_of_connection(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("connect") || name.contains("client")
}

/// Whether an instruction notes that something is connected, or not: `this.isConnected = true`.
pub(super) fn notes_connection(ir: &FileIr, store: InstId) -> bool {
    let value = match ir.inst(store) {
        Inst::StoreVar { value, .. } | Inst::Set { value, .. } => value,
        _ => return false,
    };
    matches!(ir.inst(value), Inst::Literal(Literal::Boolean(_)))
        && stored_name(ir, store).is_some_and(|it| {
            let name = it.to_ascii_lowercase();
            name.ends_with("connected")
        })
}
