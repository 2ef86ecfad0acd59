//! Lists the files of `models/` so that the library can include them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").canonicalize()?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "yml"))
        .collect();
    files.sort();
    let mut list = String::from("&[\n");
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string())?;
    }
    list.push(']');
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("builtin.rs"), list)?;
    println!("cargo::rerun-if-changed={}", folder.display());
    Ok(())
}
