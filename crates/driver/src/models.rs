//! `headstart models check`, and the models of a run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use headstart_frontend::irregular;
use headstart_models::Models;
use serde_json::json;

use crate::paths::{real, shown};
use crate::request::{Common, ModelsRequest};
use crate::respond::Response;

/// The models that come along, and those that the user adds.
///
/// # Errors
/// A file that cannot be read or used, with what is wrong in it.
pub(crate) fn load(common: &Common) -> Result<Models, String> {
    let mut models = Models::builtin().map_err(|error| error.to_string())?;
    for path in &common.models {
        add(&mut models, path, &shown(path, &common.cwd))?;
    }
    Ok(models)
}

fn add(models: &mut Models, path: &Path, name: &str) -> Result<usize, String> {
    let special = std::fs::metadata(path).ok().and_then(|it| irregular(&it.file_type()));
    if let Some(reason) = special {
        return Err(format!("{name}: {reason}"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{name}: no such model file; check the spelling"),
        _ => format!("{name}: cannot be read: {error}"),
    })?;
    models.add(name, &text).map_err(|error| error.to_string())
}

pub(crate) fn run(request: &ModelsRequest) -> Response {
    if request.files.is_empty() {
        return Response::failed("no model file is named; name at least one");
    }
    let mut models = match Models::builtin() {
        Ok(models) => models,
        Err(error) => return Response::failed(&error.to_string()),
    };
    let base = real(&request.common.cwd);
    let (mut stdout, mut stderr) = (String::new(), String::new());
    let mut files = Vec::new();
    for file in &request.files {
        let path: PathBuf = base.join(file);
        let name = shown(&path, &base);
        match add(&mut models, &path, &name) {
            Ok(rows) => {
                let _ = writeln!(stdout, "{name}: {rows} rows, nothing wrong");
                files.push(json!({ "file": name, "rows": rows, "error": null }));
            }
            Err(message) => {
                let _ = writeln!(stderr, "error: {message}");
                files.push(json!({ "file": name, "rows": 0, "error": message }));
            }
        }
    }
    let exit_code = if stderr.is_empty() { 0 } else { 2 };
    Response { exit_code, stdout, stderr, report: json!({ "files": files }) }
}
