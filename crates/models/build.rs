//! Puts the files of `models/` into the library: as JSON, which is read many times faster than
//! YAML at the start of every run, packed to a tenth, with the names that lead to each. Each is read by itself, and all
//! are much alike: what many of them have is in a dictionary that stands in front of each (RFC 1951, 2: a match may
//! reach 32 kB back).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, TDEFLStatus, compress,
    create_comp_flags_from_zip_params,
};
use serde_json::Value;

#[path = "src/members.rs"]
#[allow(dead_code, unreachable_pub, reason = "the build only reads")]
mod members;
#[path = "src/place.rs"]
mod place;
#[path = "src/schema.rs"]
#[allow(dead_code, unreachable_pub, reason = "the build only reads")]
mod schema;
#[path = "src/yaml.rs"]
mod yaml;

// Where the library has it.
use schema::Member;

/// How far back a match may reach, and how much of each model goes into the dictionary, in characters.
const WINDOW: usize = 32 * 1024 - 300;
const BEGINNING: usize = 600;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").canonicalize()?;
    let mut files = Vec::new();
    for folder in [folder.clone(), folder.join("npm")] {
        println!("cargo::rerun-if-changed={}", folder.display());
        let entries = std::fs::read_dir(&folder)?.filter_map(|it| it.ok().map(|it| it.path()));
        files.extend(entries.filter(|it| it.extension().is_some_and(|it| it == "yml")));
    }
    files.sort();
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut models = Vec::new();
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let file = path.strip_prefix(&folder)?.to_string_lossy().replace('\\', "/");
        let wrong = |error: String| format!("{}: {error}", path.display());
        let model = yaml::json_of(&std::fs::read_to_string(path)?).map_err(wrong)?;
        let mut model = model;
        leave_out_documentation(&mut model).map_err(wrong)?;
        let json = model.to_string();
        // A model that does not fit is not there: nobody would say so.
        yaml::module_of(&json).map_err(wrong)?;
        let also = model["also"].as_array().cloned().unwrap_or_default();
        let names: Vec<&str> =
            also.iter().chain([&model["module"]]).filter_map(Value::as_str).collect();
        models.push((file, names.join(" "), json));
    }
    let dictionary = dictionary(models.iter().map(|it| it.2.as_str()));
    let bytes = miniz_oxide::deflate::compress_to_vec(dictionary.as_bytes(), 10);
    std::fs::write(out.join("dictionary.packed"), bytes)?;
    // One text and one piece of data: a pointer to each would take more room than what it points to.
    let (mut index, mut all) = (String::new(), Vec::new());
    for (file, names, json) in &models {
        let packed = pack(&dictionary, json)?;
        writeln!(index, "{file}\t{names}\t{}", packed.len())?;
        all.extend(packed);
    }
    std::fs::write(out.join("models.index"), index)?;
    std::fs::write(out.join("models.packed"), all)?;
    Ok(())
}

/// Where a model only says that something may do anything, nobody asks where that is documented.
fn leave_out_documentation(model: &mut Value) -> Result<(), String> {
    match model {
        Value::Object(map) => {
            if map.get("anything") == Some(&Value::Bool(true))
                && let Some(documentation) = map.get_mut("documentation")
            {
                let page = documentation.as_str().unwrap_or_default();
                if !(page.starts_with('#') || page.starts_with("https://")) {
                    return Err(format!("`{page}` is no page of documentation"));
                }
                *documentation = Value::String(String::new());
            }
            map.values_mut().try_for_each(leave_out_documentation)
        }
        Value::Array(items) => items.iter_mut().try_for_each(leave_out_documentation),
        _ => Ok(()),
    }
}

/// The beginnings of all models: what they have in common is there.
fn dictionary<'m>(models: impl Iterator<Item = &'m str>) -> String {
    let mut text: String = models.flat_map(|it| it.chars().take(BEGINNING)).collect();
    let too_much = text.chars().count().saturating_sub(WINDOW);
    text.drain(..text.char_indices().nth(too_much).map_or(0, |it| it.0));
    text
}

/// The length of a text, and the text as it is packed behind the dictionary.
fn pack(dictionary: &str, json: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let flags = create_comp_flags_from_zip_params(10, -15, CompressionStrategy::Default as i32);
    let mut compressor = CompressorOxide::new(flags);
    let mut packed = u32::try_from(json.len())?.to_le_bytes().to_vec();
    let mut space = vec![0; 2 * (dictionary.len() + json.len()) + 1024];
    for (text, flush) in [(dictionary, TDEFLFlush::Sync), (json, TDEFLFlush::Finish)] {
        let (status, read, written) = compress(&mut compressor, text.as_bytes(), &mut space, flush);
        if !matches!(status, TDEFLStatus::Okay | TDEFLStatus::Done) || read != text.len() {
            return Err("a model cannot be packed".into());
        }
        if flush == TDEFLFlush::Finish {
            packed.extend(&space[..written]);
        }
    }
    Ok(packed)
}
