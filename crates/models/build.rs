//! Puts the files of `models/` into the library: as JSON, which is read many times faster than
//! YAML at the start of every run, packed to a tenth, with the names that lead to each.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").canonicalize()?;
    let mut files = Vec::new();
    for folder in [folder.clone(), folder.join("npm")] {
        println!("cargo::rerun-if-changed={}", folder.display());
        let entries = std::fs::read_dir(&folder)?.filter_map(|it| it.ok().map(|it| it.path()));
        files.extend(entries.filter(|it| it.extension().is_some_and(|it| it == "yml")));
    }
    files.sort();
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut list = String::from("&[\n");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let file = path.strip_prefix(&folder)?.to_string_lossy().replace('\\', "/");
        let model: Value = serde_saphyr::from_str(&std::fs::read_to_string(path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let also = model["also"].as_array().cloned().unwrap_or_default();
        let names: Vec<&str> =
            also.iter().chain([&model["module"]]).filter_map(Value::as_str).collect();
        let json = serde_json::to_string(&model)?;
        let packed = format!("{}.packed", file.replace('/', "-"));
        let bytes = miniz_oxide::deflate::compress_to_vec(json.as_bytes(), 9);
        std::fs::write(out.join(&packed), bytes)?;
        let packed = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{packed}\"))");
        writeln!(list, "    Builtin {{ file: {file:?}, names: &{names:?}, packed: {packed} }},")?;
    }
    list.push(']');
    std::fs::write(out.join("builtin.rs"), list)?;
    Ok(())
}
