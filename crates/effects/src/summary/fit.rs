//! How the arguments of a call fit the row of its model.

use headstart_callgraph::{AbstractObject, InstRef, Modelled, ObjectId, PathKey};
use headstart_ir::{FileIr, Inst, InstId, Key};
use headstart_models::{Argument, Call, Throws};

use super::Summaries;
use super::roots::Roots;
use super::row::arguments;

/// Why a row says nothing of a call, with the argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Misfit {
    /// It is one more than the row lists.
    Further(InstId),
    /// It is a function where the row lists none.
    Function(InstId),
    /// It has an option that the row does not list.
    Option(InstId),
}

/// What the row takes for granted of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grant {
    /// It is any number of arguments: `...args`.
    Spread(InstId),
    /// It is no function, where one would be called back.
    Function(InstId),
    /// It holds no option that changes what the call does.
    Options(InstId),
    /// Converting it to a primitive runs no code.
    Converted(InstId),
    /// It is a path, and no open file.
    Handle(InstId),
}

/// Judges the arguments of a call by its row, the only place that does: `grant` gets what the row takes for granted,
/// as far as the way that it is written does not say it. `is_primitive` says that a value runs no code.
///
/// # Errors
/// The first argument that the row does not cover.
pub(crate) fn fit(
    (ir, row, module): (&FileIr, &Call, &str),
    args: &[InstId],
    is_primitive: &dyn Fn(InstId) -> bool,
    grant: &mut dyn FnMut(Grant),
) -> Result<(), Misfit> {
    let kind_at = |position: usize| row.arguments.get(position).copied().or(row.rest);
    for (position, &arg) in args.iter().enumerate() {
        let (kind, inst) = (kind_at(position), ir.inst(arg));
        let takes_options = kind.is_some_and(takes_options);
        let is_callback = row.callbacks.iter().any(|it| it.argument == position);
        if matches!(inst, Inst::Spread(_)) && kind.is_some() {
            // What it holds stands in the places of all that follow.
            let behind = row.arguments.iter().skip(position).copied().chain(row.rest);
            if behind.into_iter().any(self::takes_options) {
                return Err(Misfit::Option(arg));
            }
            grant(Grant::Spread(arg));
            continue;
        }
        // At the place of a callback options may stand.
        if is_callback && inst != Inst::Object {
            if takes_options {
                grant(Grant::Options(arg));
            }
            continue;
        }
        match (kind, inst) {
            // What the language brings ignores further arguments (ECMA-262, 18): `text.toString("utf8")`.
            (None, _) if module == "ecmascript" && is_primitive(arg) => {}
            (None, _) => return Err(Misfit::Further(arg)),
            (Some(Argument::OptionsOrFunction), Inst::Closure(_))
            | (Some(Argument::Any | Argument::Function), _) => {}
            (_, Inst::Closure(_)) => return Err(Misfit::Function(arg)),
            (Some(Argument::Options | Argument::OptionsOrFunction), Inst::Object) => {
                if !option_keys(ir, arg).is_some_and(|keys| lists(row, &keys)) {
                    return Err(Misfit::Option(arg));
                }
            }
            (Some(Argument::Options), _) => grant(Grant::Options(arg)),
            (Some(Argument::OptionsOrFunction), _) => {
                grant(Grant::Options(arg));
                grant(Grant::Function(arg));
            }
            (Some(Argument::Primitive), _) => grant(Grant::Converted(arg)),
            (Some(Argument::PathOrHandle), _) => grant(Grant::Handle(arg)),
            (
                Some(Argument::Path | Argument::String | Argument::OptionalString | Argument::Data),
                _,
            ) => {}
        }
    }
    Ok(())
}

/// What a call may throw before it returns, by its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Throw {
    /// Something, whatever its arguments are.
    Anything,
    /// Something, unless this argument is a string.
    UnlessText(InstId),
    /// What converting this argument to a primitive throws.
    Converting(InstId),
}

/// Judges what a call may throw by its row, the only place that does.
pub(crate) fn throws(row: &Call, args: &[InstId], throw: &mut dyn FnMut(Throw)) {
    let kinds = (0..).map(|it: usize| row.arguments.get(it).copied().or(row.rest));
    let all = || kinds.clone().zip(args.iter().copied());
    if row.throws == Throws::Never {
        // Converting an object may run code of its own, which may throw.
        let converted = all().filter(|it| it.0 == Some(Argument::Primitive));
        return converted.for_each(|it| throw(Throw::Converting(it.1)));
    }
    let needed = row.arguments.iter().filter(|it| **it == Argument::String).count();
    if row.throws == Throws::May || args.len() < needed {
        throw(Throw::Anything);
    }
    for (kind, arg) in all() {
        match kind {
            Some(Argument::String | Argument::OptionalString) => throw(Throw::UnlessText(arg)),
            Some(Argument::Primitive) => throw(Throw::Converting(arg)),
            _ => {}
        }
    }
}

fn takes_options(kind: Argument) -> bool {
    matches!(kind, Argument::Options | Argument::OptionsOrFunction)
}

/// Whether a row covers options with some keys.
fn lists(row: &Call, keys: &[&str]) -> bool {
    keys.iter().all(|key| row.options.iter().chain(&row.observers).any(|it| it == key))
}

/// The keys of an object literal; none where one is not known.
pub(crate) fn option_keys(ir: &FileIr, literal: InstId) -> Option<Vec<&str>> {
    Some(entries(ir, literal)?.into_iter().map(|(key, _)| key).collect())
}

/// The keys of an object literal with their values; none where one is not known.
pub(crate) fn entries(ir: &FileIr, literal: InstId) -> Option<Vec<(&str, InstId)>> {
    let end = ir.function(ir.function_at(literal)).end;
    let mut entries = Vec::new();
    for id in FileIr::range(literal, end) {
        match ir.inst(id) {
            Inst::Set { object, key, value } if object == literal => match key.get() {
                Key::Name(name) => entries.push((ir.name(name), value)),
                Key::Private(_) | Key::Computed(_) => return None,
            },
            Inst::CopyProps { object, .. } | Inst::Accessor { object, .. } if object == literal => {
                return None;
            }
            _ => {}
        }
    }
    Some(entries)
}

impl Summaries<'_> {
    /// Whether a call has options that may hold what the row of its model does not cover.
    pub(crate) fn has_untold_options(&self, call: InstRef, member: &Modelled<'_>) -> bool {
        let Some(row) = member.call else { return false };
        let ir = self.graph.files()[call.file as usize];
        let args = arguments(ir.inst(call.inst)).map(|it| ir.args(it)).unwrap_or_default();
        self.roots(self.graph.function_at(call)).has_untold_options(row, member.module, args)
    }
}

impl Roots<'_, '_> {
    /// As [`fit`], by what the call graph knows of the arguments.
    pub(crate) fn fit(
        &self,
        (row, module): (&Call, &str),
        args: &[InstId],
        grant: &mut dyn FnMut(Grant),
    ) -> Result<(), Misfit> {
        let is_primitive = |arg: InstId| self.all.graph.is_primitive(self.at(arg));
        fit((self.ir(), row, module), args, &is_primitive, &mut |it| match it {
            Grant::Options(arg) | Grant::Function(arg) if self.is_told(row, arg) => {}
            it => grant(it),
        })
    }

    /// Whether a row covers a call: no more arguments than it lists, no function where it lists none, no option
    /// that it does not.
    pub(crate) fn is_covered(&self, row: &Call, module: &str, args: &[InstId]) -> bool {
        let is_primitive = |arg: InstId| self.all.graph.is_primitive(self.at(arg));
        fit((self.ir(), row, module), args, &is_primitive, &mut |_| {}).is_ok()
    }

    /// Whether the options of a call may hold what its row does not cover.
    pub(crate) fn has_untold_options(&self, row: &Call, module: &str, args: &[InstId]) -> bool {
        let mut has_untold = false;
        let fits = self.fit((row, module), args, &mut |it| {
            has_untold |= matches!(it, Grant::Options(_));
        });
        has_untold && fits.is_ok()
    }

    /// Whether a call may throw before it returns.
    pub(crate) fn row_throws(&self, row: &Call, args: &[InstId]) -> bool {
        let mut may_throw = false;
        let is_never = row.throws == Throws::Never;
        throws(row, args, &mut |it| {
            may_throw |= match it {
                Throw::Anything => true,
                Throw::Converting(arg) if is_never => {
                    matches!(self.ir().inst(arg), Inst::Object | Inst::Array(_))
                }
                Throw::UnlessText(arg) | Throw::Converting(arg) => !self.is_string(arg),
            };
        });
        may_throw
    }

    /// Whether an argument for options is known to hold only what a row covers: a text, a list of arguments that
    /// may stand in their place, an object that stays as its literal makes it.
    fn is_told(&self, row: &Call, arg: InstId) -> bool {
        let graph = &self.all.graph;
        if matches!(self.ir().inst(arg), Inst::Literal(_) | Inst::Object | Inst::Closure(_))
            || graph.is_primitive(self.at(arg))
        {
            return true;
        }
        let is_told = |id: &ObjectId| match graph.object(*id) {
            // A rest parameter.
            AbstractObject::OfCall(_) => true,
            AbstractObject::Made(at) => match graph.files()[at.file as usize].inst(at.inst) {
                Inst::Array(_) | Inst::Rest(_) => true,
                Inst::Object => {
                    graph.is_as_made(*id, PathKey::ANY, false)
                        && option_keys(graph.files()[at.file as usize], at.inst)
                            .is_some_and(|it| lists(row, &it))
                }
                _ => false,
            },
            _ => false,
        };
        let objects = graph.value_objects(self.at(arg));
        !objects.is_empty() && objects.iter().all(is_told)
    }
}
