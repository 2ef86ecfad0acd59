//! Whether a request over HTTP only reads.

use headstart_ir::{Inst, InstId, Key, Literal};

use super::fit::option_keys;
use super::roots::Roots;

/// How many requests are made from one another.
const LONGEST_REQUEST: u32 = 4;

impl Roots<'_, '_> {
    /// As [`Self::method`], of the options at a position; where there are none, they name no method.
    pub(super) fn method_at(&self, args: &[InstId], position: usize) -> Option<bool> {
        // What is spread may hold options.
        if args.iter().take(position + 1).any(|&it| matches!(self.ir().inst(it), Inst::Spread(_))) {
            return None;
        }
        args.get(position).map_or(Some(false), |&options| self.method(options))
    }

    /// Whether options name a method that only reads; `Some(false)` where they name none, none where
    /// they may name another.
    fn method(&self, options: InstId) -> Option<bool> {
        let ir = self.ir();
        match ir.inst(options) {
            Inst::Literal(Literal::Undefined) => return Some(false),
            Inst::Object => {}
            _ => return None,
        }
        // What it inherits may name one.
        if option_keys(ir, options)?.contains(&"__proto__") {
            return None;
        }
        let end = ir.function(self.function.function).end;
        let mut found = Some(false);
        for id in headstart_ir::FileIr::range(options, end) {
            match ir.inst(id) {
                Inst::Set { object, key, value } if object == options => {
                    let Key::Name(name) = key.get() else { continue };
                    let text = self.text(value);
                    match ir.name(name) {
                        "method" => found = text.filter(|it| is_reading_method(it)).map(|_| true),
                        // What a request takes from a cache, or puts there, another one sees.
                        "cache" if !text.is_some_and(|it| leaves_cache(&it)) => return None,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Whether what is asked for is an address, or a request whose method only reads.
    pub(super) fn only_gets(&self, input: InstId) -> bool {
        self.is_text(input) || self.reading_request(input, LONGEST_REQUEST)
    }

    fn is_text(&self, value: InstId) -> bool {
        self.is_string(value) || self.all.graph.is_address(self.at(value))
    }

    /// Whether a value is certainly a `Request` whose method only reads: where it is made, the method
    /// is there.
    fn reading_request(&self, request: InstId, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let ir = self.ir();
        match ir.inst(request) {
            Inst::LoadVar(var) => {
                let always = self.all.graph.always(self.function.file, var);
                let is_own = ir.variable(var).owner == self.function.function;
                always.filter(|_| is_own).is_some_and(|it| self.reading_request(it, steps))
            }
            Inst::New { callee, args }
                if self.all.graph.is_member(self.at(callee), "globals", &["Request"]) =>
            {
                let args = ir.args(args);
                match (self.method_at(args, 1), args.first()) {
                    (Some(true), _) => true,
                    (Some(false), Some(&input)) => {
                        self.is_text(input) || self.reading_request(input, steps)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// Whether a method of HTTP only reads (RFC 9110, 9.2.1).
fn is_reading_method(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "get" | "head")
}

/// Whether a request with this mode neither asks a cache first nor is there to fill it (Fetch, 2.2.5).
fn leaves_cache(mode: &str) -> bool {
    matches!(mode, "default" | "no-store")
}
