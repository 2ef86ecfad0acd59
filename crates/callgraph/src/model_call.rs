//! Calls of what a model describes: which values flow where.

use headstart_ir::{FileIr, Inst, InstId, Key as IrKey, Literal};
use headstart_models::{
    Argument, Call, CallsBack, Condition, Flow as Row, Member, Module, PromiseKind, Receiver,
    ResultKind,
};

use crate::flow::Constraint;
use crate::ids::{Key, MemberId, Node, Object, SiteId, TypeId};
use crate::native::Native;
use crate::object::{Cause, Kind, Origin};
use crate::site::{Arg, How, Site};
use crate::solver::Solver;

/// For how many arguments what is spread among them stands.
const MOST_SPREAD: usize = 8;

impl<'p> Solver<'p> {
    /// A call of a member of a modelled module or type.
    pub(crate) fn call_member(&mut self, site: SiteId, member: MemberId) {
        let native = self.members.get(member).native;
        let site = if self.tells_arguments_apart(member) { self.spread_out(site) } else { site };
        let data = self.site(site);
        let described = self.members.get(member);
        let is_new = matches!(data.how, How::New | How::Super);
        let row = described.call(is_new);
        let module = described.module;
        let is_proxy = is_new && module == "globals" && described.path == ["Proxy"];
        if module == "globals" && described.path == ["JSON", "stringify"] {
            self.stringify(site);
        }
        if is_proxy {
            // What is stored in the Proxy is stored in its target.
            let target = self.site_args(site).first().map_or(Node::NONE, |it| it.node);
            self.flow.edge(target, self.changed_unseen);
        }
        self.taken_by_platform(site, member);
        if let Some(native) = native
            && self.call_native(site, native, member)
        {
            return;
        }
        match row {
            Some((module, call)) => {
                self.keep_given(site, member, (module, call));
                self.call_row(site, module, call);
            }
            None => {
                self.escape_arguments(site);
                self.flow.edge(data.this, self.escaped);
                match self.instance_type_of(member).filter(|_| is_new) {
                    Some(ty) => self.give(data.result, Kind::Typed(ty, Origin::Outside)),
                    None => self.give_unknown(data.result, Cause::Model(module)),
                }
            }
        }
    }

    /// Whether it makes a difference to a member which of its arguments is which, and it does not take apart
    /// itself what it is given.
    fn tells_arguments_apart(&self, member: MemberId) -> bool {
        let described = self.members.get(member);
        let goes_by = |row: &Call| {
            !row.returns.is_empty() || !row.callbacks.is_empty() || row.changes_arguments()
        };
        match described.native {
            Some(Native::StoreElements(_) | Native::Bind | Native::Call | Native::Emit) => false,
            Some(_) => true,
            None => [false, true]
                .iter()
                .any(|&it| described.call(it).is_some_and(|(_, row)| goes_by(row))),
        }
    }

    /// The same call with what is spread in its arguments: from there on, each may be any of it.
    fn spread_out(&mut self, site: SiteId) -> SiteId {
        let args = self.site_args(site);
        let Some(first) = args.iter().position(|it| it.is_spread) else { return site };
        let any = self.flow.node();
        for arg in &args[first..] {
            if arg.is_spread {
                self.constrain(arg.node, Constraint::iterate(any, u32::MAX));
            } else {
                self.flow.edge(arg.node, any);
            }
        }
        let mut all: Vec<Arg> = args[..first].to_vec();
        all.extend(std::iter::repeat_n(Arg { node: any, is_spread: false }, MOST_SPREAD));
        let data = self.site(site);
        self.number_site(data, &all)
    }

    /// A call of what `util.promisify` made of a member.
    pub(crate) fn call_promisified(&mut self, site: SiteId, member: MemberId) {
        let data = self.site(site);
        let described = self.members.get(member);
        let (module, name) = (described.module, described.path.last().copied().unwrap_or_default());
        match described.call(false) {
            Some((_, row)) => self.hand_over(site, row),
            None => self.escape_arguments(site),
        }
        let promise = self.typed(self.types.promise, Origin::Inst(data.origin, 0));
        self.flow.add(data.result, promise);
        let value = self.prop(promise, Key::VALUE);
        match self.promised(module, name) {
            Some((module, call)) => {
                self.value_of_row(value, module, call, data.origin);
            }
            None => self.give(value, Kind::Data),
        }
    }

    /// The row of the promise form of a member: `fs/promises` has those of `fs`.
    fn promised(&mut self, module: &str, name: &'p str) -> Option<(&'p Module, &'p Call)> {
        let specifier = match module {
            "fs" => "fs/promises",
            "dns" => "dns/promises",
            "timers" => "timers/promises",
            _ => return None,
        };
        let root = self.members.root(specifier)?;
        let key = self.names.key(name);
        let member = self.members.member(root, key, name)?;
        self.members.get(member).call(false)
    }

    /// What a member is given that calls back nobody but its promise.
    fn hand_over(&mut self, site: SiteId, row: &Call) {
        for (position, arg) in self.site_args(site).into_iter().enumerate() {
            match row.arguments.get(position).copied().or(row.rest) {
                Some(Argument::Options | Argument::OptionsOrFunction) => {
                    self.constrain(arg.node, Constraint::Options);
                }
                None | Some(Argument::Function | Argument::Primitive) => {
                    self.flow.edge(arg.node, self.escaped);
                }
                Some(_) => {}
            }
        }
    }

    /// What objects keep that a call of a member makes, or is on.
    fn keep_given(
        &mut self,
        site: SiteId,
        member: MemberId,
        (module, call): (&'p Module, &'p Call),
    ) {
        let data = self.site(site);
        let keeps = |it: &Module| it.types.values().any(Member::keeps_given);
        if call.keeps || call.result == ResultKind::Receiver && keeps(module) {
            self.for_each(site, Native::Keep(false), data.this);
        }
        let is_kept = |it| self.members.models().keeps_given(module, it);
        if call.promise == PromiseKind::No && call.types().any(is_kept) {
            // `this.db(table)` is on no object of the package.
            let described = self.members.get(member);
            let is_method = described.of_type.is_some() && !described.path.is_empty();
            self.for_each(site, Native::Keep(is_method), data.result);
        }
    }

    fn call_row(&mut self, site: SiteId, module: &'p Module, call: &'p Call) {
        let data = self.site(site);
        let args = self.site_args(site);
        if call.receiver == Receiver::Writes {
            self.constrain(data.this, Constraint::Mix);
        }
        for arg in call.mutates.iter().filter_map(|&it| args.get(it)) {
            self.constrain(arg.node, Constraint::Mix);
        }
        let mut returned: Vec<Node> = vec![Node::NONE; args.len()];
        for (position, arg) in args.iter().enumerate() {
            let listed = call.callbacks.iter().find(|it| it.argument == position);
            let kind = call.arguments.get(position).copied().or(call.rest);
            // `Array.from`, `new URLSearchParams`, `writeFile` iterate what they are given.
            let may_iterate = matches!(kind, Some(Argument::Data | Argument::Primitive));
            if self.has_generators && may_iterate && module.module != "ecmascript" {
                self.constrain(arg.node, Constraint::iterate(Node::NONE, data.origin));
            }
            let is_called = match kind {
                Some(Argument::Function | Argument::OptionsOrFunction) => {
                    call.calls_back != CallsBack::No || listed.is_some()
                }
                _ => listed.is_some(),
            };
            if is_called {
                let with = listed.map(|it| it.with.as_slice());
                // `list.forEach(f, this)`
                let this = self.flow.node();
                for later in args.iter().skip(position + 1) {
                    self.flow.edge(later.node, this);
                }
                returned[position] = self.call_back(site, module, (arg.node, this), with);
            } else if kind == Some(Argument::Primitive) {
                self.convert_node(arg.node, data.origin);
            } else if kind == Some(Argument::Options) {
                self.constrain(arg.node, Constraint::Options);
            } else if kind == Some(Argument::Data) && sends(module, call) {
                self.send(arg.node, data.origin);
            } else if matches!(kind, None | Some(Argument::Function)) {
                // A function inside may be called, and what nobody describes kept.
                self.flow.edge(arg.node, self.escaped);
            }
        }
        if !call.mutates_below.is_empty() {
            self.change_below(site, &call.mutates_below, &returned);
        }
        if data.result.is_none() {
            return;
        }
        let to = self.promised_result(data.result, call, data.origin);
        let case = self.case_by_arguments(data.origin, args.len(), call);
        let holder = self.value_of_case(to, module, call, data.origin, case);
        if call.result == ResultKind::Receiver {
            self.flow.edge(data.this, to);
        }
        // Where nothing is handed over to give it back, it is the data itself: `JSON.parse(text)`.
        let is_missing = |it: &Row| matches!(it, Row::Callback(at) if returned.get(*at).is_none_or(|it| it.is_none()));
        if call.result == ResultKind::Data
            && !call.returns.is_empty()
            && call.returns.iter().all(is_missing)
        {
            self.give(to, Kind::Data);
        }
        let is_iterator = call.is_a.as_deref().is_some_and(|it| it.ends_with("Iterator"));
        for flow in &call.returns {
            let holds = call.holds
                || call.result == ResultKind::Array
                || is_iterator
                || matches!(flow, Row::Pairs(_));
            let into = if holds { holder } else { to };
            match flow {
                // An iterator goes over the elements, and is not what holds them.
                Row::Receiver if is_iterator => {}
                Row::Callback(position) => {
                    let from = returned.get(*position).copied().unwrap_or(Node::NONE);
                    if call.promise == PromiseKind::No {
                        self.flow.edge(from, into);
                    } else {
                        self.constrain(from, Constraint::Await { to: into });
                    }
                }
                Row::CallbackElements(position) => {
                    let from = returned.get(*position).copied().unwrap_or(Node::NONE);
                    if call.promise == PromiseKind::No {
                        self.flow.edge(from, holder);
                    } else {
                        self.constrain(from, Constraint::Await { to: holder });
                    }
                }
                other => self.flow_of_row(site, module, other, into),
            }
        }
    }

    /// The node that the result of a call goes to: what its promise is fulfilled with, where it
    /// returns one.
    fn promised_result(&mut self, result: Node, call: &Call, origin: u32) -> Node {
        if call.promise == PromiseKind::No {
            return result;
        }
        let promise = self.typed(self.types.promise, Origin::Inst(origin, 0));
        self.flow.add(result, promise);
        self.prop(promise, Key::VALUE)
    }

    /// Gives `to` what a row says about the result, or what its promise is fulfilled with; returns
    /// the node of what the result holds.
    pub(crate) fn value_of_row(
        &mut self,
        to: Node,
        module: &'p Module,
        call: &'p Call,
        origin: u32,
    ) -> Node {
        self.value_of_case(to, module, call, origin, None)
    }

    /// The case that applies to a call, by its place in the list, as far as the number of its arguments
    /// and their text tell; `Some(None)` where none applies.
    #[allow(clippy::option_option, reason = "not known, known to be none, known to be one")]
    fn case_by_arguments(&self, origin: u32, count: usize, call: &Call) -> Option<Option<usize>> {
        if call.cases.iter().all(|it| it.is_a.is_none()) {
            return None;
        }
        let place = self.numbering.inst_of(origin)?;
        let ir = self.files[place.file as usize];
        let (Inst::Call { args, .. } | Inst::CallMethod { args, .. }) = ir.inst(place.inst) else {
            return None;
        };
        let args = ir.args(args);
        let has_spread = args.iter().any(|&it| matches!(ir.inst(it), Inst::Spread(_)));
        if args.len() != count || has_spread {
            return None;
        }
        let is_text = |it: &InstId| {
            matches!(ir.inst(*it), Inst::Literal(Literal::String(_)) | Inst::Template(_))
        };
        for (index, case) in call.cases.iter().enumerate() {
            match &case.when {
                Condition::FewerArguments(fewer) if count < *fewer => return Some(Some(index)),
                Condition::FewerArguments(_) => {}
                Condition::ReadingMethod(position)
                    if count <= *position
                        && (*position == 0 || args.first().is_some_and(is_text)) =>
                {
                    return Some(Some(index));
                }
                _ => return None,
            }
        }
        Some(None)
    }

    fn value_of_case(
        &mut self,
        to: Node,
        module: &'p Module,
        call: &'p Call,
        origin: u32,
        case: Option<Option<usize>>,
    ) -> Node {
        let named = |solver: &mut Self, name: &Option<String>| -> Option<TypeId> {
            solver.members.type_named(module, name.as_deref()?)
        };
        let of_case = case.flatten().and_then(|it| call.cases.get(it)?.is_a.as_ref());
        let mut types = match of_case {
            Some(name) => vec![self.members.type_named(module, name)],
            None => vec![named(self, &call.is_a)],
        };
        if case.is_none() {
            types.extend(call.cases.iter().map(|case| named(self, &case.is_a)));
        }
        let types: Vec<TypeId> = types.into_iter().flatten().collect();
        let mut holder = Node::NONE;
        for &ty in &types {
            let object = self.typed(ty, Origin::Inst(origin, 1));
            self.flow.add(to, object);
            holder = self.prop(object, Key::ELEMENT);
            // What it goes over comes from the platform: `text.matchAll(pattern)`.
            if call.returns.is_empty() && self.members.type_data(ty).name.ends_with("Iterator") {
                self.give(holder, Kind::Data);
            }
        }
        if let Some(ty) = named(self, &call.elements) {
            let array = self.typed(self.types.array, Origin::Inst(origin, 1));
            self.flow.add(to, array);
            holder = self.prop(array, Key::ELEMENT);
            self.give(holder, Kind::Typed(ty, Origin::Outside));
        } else if types.is_empty() {
            match call.result {
                ResultKind::String => self.flow.edge(self.string, to),
                ResultKind::Array => {
                    let array = self.typed(self.types.array, Origin::Inst(origin, 1));
                    self.flow.add(to, array);
                    holder = self.prop(array, Key::ELEMENT);
                    if call.returns.is_empty() {
                        self.give_elements(holder, module, call, origin);
                    }
                }
                ResultKind::Object | ResultKind::Data if call.returns.is_empty() => {
                    self.give(to, Kind::Data);
                }
                ResultKind::Object => {
                    let object = self.object(Kind::Literal(origin));
                    self.flow.add(to, object);
                    holder = self.prop(object, Key::DYNAMIC);
                }
                ResultKind::Function if call.returns.is_empty() => {
                    self.give_unknown(to, Cause::Model(&module.module));
                }
                _ => {}
            }
        }
        holder
    }

    /// The elements of the array that a modelled call returns.
    fn give_elements(&mut self, holder: Node, module: &'p Module, call: &'p Call, origin: u32) {
        let with = call.elements_with.as_ref();
        let asked = with.map_or(Some(false), |with| self.option_given(origin, &with.option));
        if asked != Some(false)
            && let Some(with) = with
            && let Some(ty) = self.members.type_named(module, &with.is_a)
        {
            self.give(holder, Kind::Typed(ty, Origin::Outside));
        }
        if asked != Some(true) {
            self.give(holder, Kind::Data);
        }
    }

    /// Whether a call is given an option, and not as `false`; none where that is not known.
    fn option_given(&self, origin: u32, name: &str) -> Option<bool> {
        let place = self.numbering.inst_of(origin)?;
        let ir = self.files[place.file as usize];
        let (Inst::Call { args, .. } | Inst::CallMethod { args, .. }) = ir.inst(place.inst) else {
            return None;
        };
        for &arg in ir.args(args).iter().skip(1) {
            match ir.inst(arg) {
                Inst::Literal(_) | Inst::Template(_) | Inst::Closure(_) => {}
                Inst::Object => return option_in(ir, arg, place.inst, name),
                _ => return None,
            }
        }
        Some(false)
    }

    /// What the arguments of a call are, or hold at any depth, and new lists and objects of such.
    fn below_arguments(&mut self, site: SiteId) -> Node {
        let origin = self.site(site).origin;
        let below = self.flow.node();
        for arg in self.site_args(site) {
            self.flow.edge(arg.node, below);
        }
        self.constrain(below, Constraint::Held { to: below, origin });
        let list = self.typed(self.types.array, Origin::Inst(origin, 4));
        let object = self.object(Kind::Literal(origin));
        for (made, key) in [(list, Key::ELEMENT), (object, Key::DYNAMIC)] {
            let to = self.prop(made, key);
            self.flow.edge(below, to);
            self.flow.add(below, made);
        }
        below
    }

    /// Whatever the arguments are or hold, and what functions return that are called, may be put under any key
    /// of what is below some of them.
    fn change_below(&mut self, site: SiteId, positions: &[usize], returned: &[Node]) {
        let origin = self.site(site).origin;
        let args = self.site_args(site);
        let from = self.below_arguments(site);
        for &node in returned {
            self.flow.edge(node, from);
        }
        let changed = self.flow.node();
        for arg in positions.iter().filter_map(|&it| args.get(it)) {
            self.flow.edge(arg.node, changed);
        }
        self.constrain(changed, Constraint::Held { to: changed, origin });
        self.constrain(changed, Constraint::Mix);
        self.constrain(changed, Constraint::Store { key: Key::DYNAMIC, from, origin });
    }

    /// A function that a modelled call is given is called; what it returns.
    fn call_back(
        &mut self,
        site: SiteId,
        module: &'p Module,
        (callee, this): (Node, Node),
        with: Option<&'p [Row]>,
    ) -> Node {
        let data = self.site(site);
        let result = self.flow.node();
        let args: Vec<Arg> = match with {
            Some(rows) => {
                let each = rows.iter().map(|row| {
                    let node = self.flow.node();
                    if *row == Row::Carried {
                        self.flow.edge(result, node);
                    }
                    self.flow_of_row(site, module, row, node);
                    Arg { node, is_spread: false }
                });
                each.collect()
            }
            None => {
                // As many as any callback has, and more.
                let node = self.flow.node();
                self.give_unknown(node, Cause::Callback);
                let array = self.typed(self.types.array, Origin::Inst(data.origin, 7));
                let elements = self.prop(array, Key::ELEMENT);
                self.flow.edge(node, elements);
                let list = self.flow.node();
                self.flow.add(list, array);
                vec![Arg { node: list, is_spread: true }]
            }
        };
        let how = How::Callback;
        self.new_site(Site { callee, this, result, how, depth: data.depth + 1, ..data }, &args);
        self.constrain(callee, Constraint::HandedOver(site));
        result
    }

    /// A call is handed something to call. What the platform changes by way of that is among what the call is
    /// handed, too: `layers.reduce(Object.assign, options)`.
    pub(crate) fn handed_to_call(&mut self, site: SiteId, object: Object) {
        if let Kind::Member(member) = self.objects.kind(object)
            && self.changes_memory(member, false)
        {
            self.changes_unseen(site);
        }
    }

    /// A method of an object is called whose name is not known: one of the platform may change it, and store or
    /// call what it is given.
    pub(crate) fn method_by_name(&mut self, site: SiteId, object: Object) {
        let Kind::Typed(ty, _) = self.objects.kind(object) else { return };
        let types = &self.types;
        if ![types.string, types.number, types.boolean].contains(&ty) {
            self.changes_unseen(site);
        }
    }

    /// A call changes something that its instruction does not say.
    pub(crate) fn changes_unseen(&mut self, site: SiteId) {
        if site.index() < self.sites.len() {
            self.displaced.insert(self.site(site).origin);
            self.escape_arguments(site);
            let this = self.site(site).this;
            self.flow.edge(this, self.escaped);
            for node in self.site_args(site).iter().map(|it| it.node).chain([this]) {
                self.flow.edge(node, self.changed_unseen);
            }
        }
    }

    /// Gives `to` what a row of a flow names.
    fn flow_of_row(&mut self, site: SiteId, module: &'p Module, row: &'p Row, to: Node) {
        let data = self.site(site);
        let args = self.site_args(site);
        let arg = |position: usize| args.get(position).map_or(Node::NONE, |it| it.node);
        match row {
            Row::Argument(position) => self.flow.edge(arg(*position), to),
            Row::Elements(position) => {
                self.constrain(arg(*position), Constraint::Held { to, origin: data.origin });
            }
            Row::Receiver => self.flow.edge(data.this, to),
            Row::ReceiverElements => {
                self.constrain(data.this, Constraint::Held { to, origin: data.origin });
            }
            Row::ReceiverPairs => {
                let pair = self.typed(self.types.array, Origin::Inst(data.origin, 3));
                self.flow.add(to, pair);
                let to = self.prop(pair, Key::ELEMENT);
                self.constrain(data.this, Constraint::Held { to, origin: data.origin });
            }
            Row::ReceiverLists => {
                self.constrain(data.this, Constraint::Nested { to });
                self.constrain(to, Constraint::Nested { to });
            }
            Row::Pairs(position) => {
                let pairs = self.flow.node();
                self.constrain(arg(*position), Constraint::iterate(pairs, u32::MAX));
                self.constrain(pairs, Constraint::iterate(to, u32::MAX));
            }
            Row::Carried => {
                for later in args.iter().skip(1) {
                    self.flow.edge(later.node, to);
                }
                if args.len() < 2 || args.iter().any(|it| it.is_spread) {
                    self.constrain(data.this, Constraint::Held { to, origin: data.origin });
                }
            }
            Row::Type(name) => {
                if let Some(ty) = self.members.type_named(module, name) {
                    self.give(to, Kind::Typed(ty, Origin::Outside));
                }
            }
            Row::Below => {
                let below = self.below_arguments(site);
                self.flow.edge(below, to);
            }
            Row::Data => self.give(to, Kind::Data),
            Row::Unknown => self.give_unknown(to, Cause::Callback),
            Row::Callback(_) | Row::CallbackElements(_) => {}
        }
    }
}

/// Whether an object literal that a call at `end` is given has a key, and not with `false`.
fn option_in(ir: &FileIr, options: InstId, end: InstId, name: &str) -> Option<bool> {
    let mut given = Some(false);
    for id in FileIr::range(options, end) {
        given = match ir.inst(id) {
            Inst::Set { object, key, value } if object == options => match key.get() {
                IrKey::Name(it) if ir.name(it) == name => match ir.inst(value) {
                    Inst::Literal(Literal::Boolean(is_on)) => Some(is_on),
                    _ => None,
                },
                IrKey::Computed(_) => None,
                _ => given,
            },
            Inst::CopyProps { object, .. } if object == options => None,
            _ => given,
        };
    }
    given
}

/// Whether a call is an operation that takes data elsewhere, and may convert it for that. What the
/// language does with data, its own rows say.
fn sends(module: &Module, call: &Call) -> bool {
    module.module != "ecmascript" && module.module != "globals" && call.promise != PromiseKind::No
}
