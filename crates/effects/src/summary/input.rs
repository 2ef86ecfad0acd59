//! Paths that are put together and lead to files that reading consumes or that change by themselves:
//! what they begin with says so (`/proc/${pid}/io`).

use headstart_ir::{FileIr, Inst, InstId, Literal};

use super::place::{Location, Resource, Which};
use super::roots::Roots;

/// The same within functions that are called.
const DEEPEST_CALL: u32 = 3;

/// How many expressions within one another are looked through.
const DEEPEST: u32 = 8;

impl Roots<'_, '_> {
    /// The file or folder that a path may lead to or into, where that is one whose files are no plain
    /// ones (see [`Location::is_input`]).
    pub(crate) fn input_path(&self, path: InstId) -> Option<String> {
        self.input_within(path, DEEPEST)
    }

    fn input_within(&self, path: InstId, steps: u32) -> Option<String> {
        let steps = steps.checked_sub(1)?;
        match self.ir().inst(path) {
            Inst::Select(one, other) => {
                self.input_within(one, steps).or_else(|| self.input_within(other, steps))
            }
            Inst::LoadVar(var) if self.text(path).is_none() => {
                let always = self.all.graph.always(self.function.file, var)?;
                self.input_within(always, steps)
            }
            Inst::Await(value) => self.input_within(value, steps),
            _ => {
                let starts = self.starts(path, steps);
                starts.into_iter().find(|start| {
                    // `/dev` may go on as `/device`.
                    let is_folder = start.trim_start_matches('/').contains(['/', '\\']);
                    let named = Which::Named(start.clone());
                    is_folder && Location::Resource(Resource::File, named).is_input()
                })
            }
        }
    }

    /// Whether an address may be one of this machine.
    pub(crate) fn asks_this_machine(&self, address: InstId) -> bool {
        self.starts(address, DEEPEST).iter().any(|it| is_loopback(it))
    }

    /// What a text may begin with, as far as that is known.
    fn starts(&self, value: InstId, steps: u32) -> Vec<String> {
        let Some(steps) = steps.checked_sub(1) else { return Vec::new() };
        if let Some(text) = self.text(value) {
            return vec![text];
        }
        let ir = self.ir();
        match ir.inst(value) {
            Inst::LoadVar(var) => {
                let always = self.all.graph.always(self.function.file, var);
                always.map_or_else(Vec::new, |it| self.starts(it, steps))
            }
            Inst::Template(parts) => self.joined(ir.args(parts), "", steps),
            Inst::Operator { left, right, plus: true, .. } => {
                self.joined(&[left, right], "", steps)
            }
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } => {
                let callees = self.all.graph.callees(self.at(value));
                if let [function] = *callees.functions {
                    let callee = Roots { function, ..*self };
                    return callee.returned_starts(steps.min(DEEPEST_CALL));
                }
                let names: Vec<String> =
                    callees.modelled.iter().map(|it| self.all.graph.name(it)).collect();
                let is = |wanted: &[&str]| {
                    !names.is_empty()
                        && names.iter().all(|it| {
                            it.strip_prefix("path.").is_some_and(|it| {
                                let it =
                                    it.trim_start_matches("posix.").trim_start_matches("win32.");
                                wanted.contains(&it)
                            })
                        })
                };
                let args = ir.args(args);
                if is(&["join", "normalize"]) {
                    self.joined(args, "/", steps)
                } else if is(&["resolve"]) {
                    // It begins with the last absolute path.
                    let from = |index: usize| self.joined(args.get(index..)?, "/", steps).pop();
                    (0..args.len()).rev().filter_map(from).collect()
                } else {
                    Vec::new()
                }
            }
            _ => Vec::new(),
        }
    }

    /// What the texts that the function returns may begin with.
    fn returned_starts(&self, steps: u32) -> Vec<String> {
        let ir = self.ir();
        let function = ir.function(self.function.function);
        let returned =
            FileIr::range(function.first, function.end).filter_map(|id| match ir.inst(id) {
                Inst::Return(value) => Some(value),
                _ => None,
            });
        returned.flat_map(|it| self.starts(it, steps)).collect()
    }

    /// What texts in a row begin with: those that are known, and the beginning of the next.
    fn joined(&self, parts: &[InstId], between: &str, steps: u32) -> Vec<String> {
        let mut start = String::new();
        for &part in parts {
            let known = match self.ir().inst(part) {
                Inst::Literal(Literal::String(_)) | Inst::LoadVar(_) => self.text(part),
                _ => None,
            };
            let Some(known) = known else {
                start.extend(self.starts(part, steps).first().cloned());
                break;
            };
            start.push_str(&known);
            start.push_str(between);
        }
        if start.is_empty() { Vec::new() } else { vec![start] }
    }
}

/// Whether an address that begins so is one of the machine that it is asked from (RFC 6761, 6.3;
/// RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
fn is_loopback(start: &str) -> bool {
    let start = start.to_ascii_lowercase();
    let host = start.split_once("//").map_or(start.as_str(), |it| it.1);
    let host = host.rsplit_once('@').map_or(host, |it| it.1);
    let end = host.find(['/', '?', '#']).unwrap_or(host.len());
    let host = &host[..end];
    let name = if host.starts_with('[') {
        host.split(']').next().unwrap_or(host).trim_start_matches('[')
    } else {
        host.split(':').next().unwrap_or(host)
    };
    let is_name = name == "localhost" || name.ends_with(".localhost");
    is_name || name.starts_with("127.") || matches!(name, "0.0.0.0" | "::1" | "::" | "0")
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn addresses_of_this_machine() {
        for own in [
            "http://localhost:3000/next",
            "http://127.0.0.1",
            "http://127.1.2.3:80/",
            "http://[::1]:80/",
            "http://0.0.0.0:",
            "https://app.localhost/",
            "HTTP://LOCALHOST",
            "http://a:b@localhost/",
        ] {
            assert!(is_loopback(own), "{own}");
        }
        for other in ["https://a.example/localhost", "https://localhost.example", "/users", ""] {
            assert!(!is_loopback(other), "{other}");
        }
    }
}
