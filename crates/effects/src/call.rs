//! What a call does, where a model covers it.

use headstart_ir::{ArgsId, FileIr, Inst, InstId, Key, Literal};
use headstart_models::{Argument, Call, Member, Module, PromiseKind, Resource, ResultKind};

use crate::api::FileAnalysis;
use crate::known::Known;
use crate::location::{Assumption, Blocker, Region};
use crate::reasons::Code;
use crate::summary::{Grant, Misfit};

/// A call whose effects a model describes.
#[derive(Clone, Debug)]
pub struct Operation<'p> {
    /// The call.
    pub call: InstId,
    /// The module whose model describes it.
    pub module: &'p Module,
    /// What is called, as the module names it: `readFile`.
    pub callee: &'p str,
    /// The row of the model.
    pub model: &'p Call,
    /// What the row says it rests on.
    documentation: &'p str,
    /// What it reads outside memory.
    pub reads: Vec<Region>,
    /// What it writes outside memory.
    pub writes: Vec<Region>,
    /// The argument that may be an open file, whose position the call would move.
    pub maybe_handle: Option<InstId>,
    /// Whether its options may hold what the row does not cover; the summary of the call says what that takes for
    /// granted.
    pub(crate) has_untold_options: bool,
    /// What the row takes for granted about the arguments.
    pub assumptions: Vec<Assumption>,
}

impl Operation<'_> {
    /// What is called, with its module: `fs/promises.readFile`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.module.module, self.callee)
    }

    /// The page that the row rests on.
    #[must_use]
    pub fn documentation(&self) -> String {
        if !self.documentation.starts_with('#') {
            return self.documentation.to_owned();
        }
        let page = self.module.documentation.split('#').next().unwrap_or_default();
        format!("{page}{}", self.documentation)
    }

    /// Whether it returns a promise that settles without the program's help.
    #[must_use]
    pub fn settles(&self) -> bool {
        self.model.promise == PromiseKind::Settles
    }

    /// Whether it writes nothing and calls nobody back.
    #[must_use]
    pub fn changes_nothing(&self) -> bool {
        self.writes.is_empty() && self.model.leaves_alone()
    }
}

impl<'p> FileAnalysis<'p> {
    /// What the call `call` does.
    ///
    /// # Errors
    /// Why no model covers it: it may do anything.
    pub fn operation(&self, call: InstId, known: &Known) -> Result<Operation<'p>, Blocker> {
        let ir = self.ir;
        let span = ir.span(call);
        let Some((callee, args)) = callee_of(ir, call) else {
            return Err(Blocker::new(Code::NoCall, span));
        };
        let Some((name, module, member)) = self.row_of(call, callee) else {
            let span = ir.span(callee);
            return Err(Blocker::new(Code::NoModel, span));
        };
        let Some(model) = row_for(ir, call, member) else {
            return Err(Blocker::new(Code::ModelSaysAnything, span));
        };
        let roots = self.summaries.roots(self.summaries.graph.function_at(self.at(call)));
        let values = ir.args(args);
        let (_, [reads, writes]) = roots.case(model, &module.module, values);
        let region = |&resource: &Resource| {
            let which = resource.position().and_then(|it| values.get(it)).copied();
            Region { resource, which }
        };
        let mut operation = Operation {
            call,
            module,
            callee: name,
            model,
            documentation: &member.documentation,
            reads: reads.iter().map(region).collect(),
            writes: writes.iter().map(region).collect(),
            maybe_handle: None,
            has_untold_options: false,
            assumptions: Vec::new(),
        };
        let mut grants = Vec::new();
        roots
            .fit((model, &module.module), values, &mut |it| grants.push(it))
            .map_err(|it| self.misfit(it))?;
        for granted in grants {
            self.grant(granted, known, &mut operation)?;
        }
        Ok(operation)
    }

    /// Why a row does not cover a call.
    fn misfit(&self, misfit: Misfit) -> Blocker {
        let (code, argument) = match misfit {
            Misfit::Further(it) => (Code::FurtherArgument, it),
            Misfit::Function(it) => (Code::FunctionNotInModel, it),
            Misfit::Option(it) => (Code::OptionsNotInModel, it),
        };
        Blocker::new(code, self.ir.span(argument))
    }

    /// What a row takes for granted, where an operation is to stand for the call.
    fn grant(
        &self,
        granted: Grant,
        known: &Known,
        operation: &mut Operation<'_>,
    ) -> Result<(), Blocker> {
        let blocked = |code, argument| Err(Blocker::new(code, self.ir.span(argument)));
        match granted {
            Grant::Spread(it) => return blocked(Code::AnyNumberOfArguments, it),
            Grant::Function(it) => return blocked(Code::MayBeCalledBack, it),
            Grant::Options(_) => operation.has_untold_options = true,
            Grant::Converted(it) if !known.is_primitive(self, it) => {
                operation
                    .assumptions
                    .push(Assumption::usual(Code::ConvertingRunsNoCode, self.ir.span(it)));
            }
            Grant::Handle(it) if !known.is_string(self, it) => operation.maybe_handle = Some(it),
            Grant::Converted(_) | Grant::Handle(_) => {}
        }
        Ok(())
    }

    /// Whether a call may read through an open file that it is handed, whose position it moves then.
    #[must_use]
    pub fn may_take_handle(&self, call: InstId) -> bool {
        let operation = self.operation(call, &Known::default());
        let handle = operation.ok().and_then(|it| it.maybe_handle);
        // Texts and addresses are no open files.
        let is_name = |it: InstId| self.summaries.graph.is_address(self.at(it));
        handle.is_some_and(|it| !is_name(it))
    }

    /// The row for what is called, with the name it is called by: a member of a module, else a method
    /// of an object whose type is known.
    fn row_of(&self, call: InstId, callee: InstId) -> Option<(&'p str, &'p Module, &'p Member)> {
        if let Some((api, module, member)) = self.modelled(callee) {
            return Some((api.path.last().copied().unwrap_or_default(), module, member));
        }
        let callees = self.summaries.callees(self.at(call));
        let [only] = callees.modelled.as_slice() else { return None };
        let is_only = callees.functions.is_empty() && callees.obstacle().is_none();
        let (module, member) = only.row.filter(|_| is_only && only.native.is_none())?;
        let name = match self.ir.inst(callee) {
            Inst::Get { key, .. } => match key.get() {
                Key::Name(name) => self.ir.name(name),
                Key::Private(_) | Key::Computed(_) => "",
            },
            Inst::LoadVar(var) => self.ir.name(self.ir.variable(var).name),
            _ => "",
        };
        self.note_patched(&module.module, &[name]);
        Some((name, module, member))
    }

    /// What a call returns, where it returns no promise.
    #[must_use]
    pub fn result(&self, call: InstId) -> Option<ResultKind> {
        self.outcome(call, |promise| promise == PromiseKind::No)
    }

    /// What the promise that a call returns is fulfilled with.
    #[must_use]
    pub fn fulfilment(&self, call: InstId) -> Option<ResultKind> {
        self.outcome(call, |promise| promise != PromiseKind::No)
    }

    fn outcome(&self, call: InstId, is_asked: fn(PromiseKind) -> bool) -> Option<ResultKind> {
        let (callee, args) = callee_of(self.ir, call)?;
        let model = self.row_of(call, callee)?.2.call.as_ref().filter(|it| is_asked(it.promise))?;
        let position = model.arguments.iter().position(|it| *it == Argument::Options);
        let options = position.and_then(|position| self.ir.args(args).get(position));
        let has_encoding = options.is_some_and(|&options| self.asks_for_encoding(options, call));
        Some(model.result_with_encoding.filter(|_| has_encoding).unwrap_or(model.result))
    }

    /// The value that a `const` with a primitive value stands for, else the value itself.
    fn through_constants(&self, value: InstId) -> InstId {
        let Inst::LoadVar(var) = self.ir.inst(value) else {
            return value;
        };
        let variable = self.ir.variable(var);
        let init = variable.init.filter(|_| variable.is_stable()).map(|init| self.ir.inst(init));
        match init {
            Some(Inst::StoreVar { value: init, .. })
                if matches!(self.ir.inst(init), Inst::Literal(_)) =>
            {
                init
            }
            _ => value,
        }
    }

    /// Whether the options of `call` ask for text: `"utf8"` or `{ encoding: "utf8" }`.
    fn asks_for_encoding(&self, options: InstId, call: InstId) -> bool {
        let ir = self.ir;
        let is_text = |value: InstId| match ir.inst(value) {
            // The one name of an encoding that asks for bytes.
            Inst::Literal(Literal::String(name)) => ir.name(name) != "buffer",
            _ => false,
        };
        let value = self.through_constants(options);
        let sets_encoding = |inst: Inst| match inst {
            Inst::Set { object, key, value: encoding } if object == value => {
                matches!(key.get(), Key::Name(name) if ir.name(name) == "encoding")
                    && is_text(encoding)
            }
            _ => false,
        };
        is_text(value)
            || (ir.inst(value) == Inst::Object
                && FileIr::range(value, call).any(|id| sets_encoding(ir.inst(id))))
    }
}

/// The row of a member that describes a call of it.
pub(crate) fn row_for<'m>(ir: &FileIr, call: InstId, member: &'m Member) -> Option<&'m Call> {
    match ir.inst(call) {
        Inst::New { .. } => member.construct.as_deref(),
        _ => member.call.as_deref(),
    }
}

/// What a call calls, and with which arguments.
pub(crate) fn callee_of(ir: &FileIr, call: InstId) -> Option<(InstId, ArgsId)> {
    match ir.inst(call) {
        Inst::Call { callee, args } => Some((callee, args)),
        Inst::CallMethod { method, args, .. } => Some((method, args)),
        Inst::New { callee, args } => Some((callee, args)),
        _ => None,
    }
}
