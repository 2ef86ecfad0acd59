//! Modules of the program that cannot be read, parsed or found: they may put anything in the place of what
//! models describe (the contract, trap 26), for all that runs with them.

use headstart_ir::{FileIr, RequestId, Resolution};
use headstart_models::Models;

use crate::facts::may_be_own_code;
use crate::location::Elsewhere;
use crate::one_program::in_one_program;

/// An import of such a module: the file, and the request in it.
type Import = (usize, RequestId);

/// For each file, an import of a module that cannot be read and runs in one program with it; empty where there
/// are none.
#[derive(Debug, Default)]
pub(crate) struct Unread(Vec<Option<Import>>);

impl Unread {
    pub(crate) fn of(files: &[&FileIr], models: &Models) -> Self {
        let of_file = |file, ir: &FileIr| of_file(ir, models).map(|request| (file, request));
        Self(in_one_program(files, of_file))
    }

    pub(crate) fn with(&self, file: usize, files: &[&FileIr]) -> Option<(String, Elsewhere)> {
        let (file, request) = (*self.0.get(file)?)?;
        let ir = files.get(file)?;
        let data = ir.request(request);
        let name = ir.name(data.specifier).trim_start_matches("./").to_owned();
        Some((name, Elsewhere { file, span: data.span }))
    }
}

/// The import of such a module in a file. What a package generates, a model may describe.
fn of_file(ir: &FileIr, models: &Models) -> Option<RequestId> {
    let is_unread = |request: &headstart_ir::ModuleRequest| {
        let specifier = ir.name(request.specifier);
        let is_own = match request.resolution {
            Resolution::Unreadable => true,
            Resolution::Missing => specifier.starts_with('.') && may_be_own_code(specifier),
            Resolution::File(_)
            | Resolution::Outside
            | Resolution::Builtin
            | Resolution::Package
            | Resolution::Pending => false,
        };
        is_own && request.kind.loads() && !models.is_generated(specifier)
    };
    ir.requests.iter().position(is_unread).map(RequestId::new)
}
