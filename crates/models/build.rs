//! Puts the files of `models/` into the library: as JSON, which is read many times faster than
//! YAML at the start of every run, with the names that lead to each.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "yml"))
        .collect();
    files.sort();
    let mut list = String::from("&[\n");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let model: Value = serde_saphyr::from_str(&std::fs::read_to_string(path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let also = model["also"].as_array().cloned().unwrap_or_default();
        let names: Vec<&str> =
            also.iter().chain([&model["module"]]).filter_map(Value::as_str).collect();
        let json = serde_json::to_string(&model)?;
        writeln!(list, "    Builtin {{ file: {file:?}, names: &{names:?}, json: {json:?} }},")?;
    }
    list.push(']');
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("builtin.rs"), list)?;
    Ok(())
}
