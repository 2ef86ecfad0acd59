//! Reads the YAML of a model, for the library and for its build.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::place::place;
use crate::schema::Module;

/// What YAML says, as JSON. Only `true` and `false` are truth values (YAML 1.2): `n`, `yes` and `off` are names.
///
/// # Errors
/// Text that is no YAML, or a truth value or nothing where a name has to stand, with the line.
pub(crate) fn json_of(text: &str) -> Result<Value, String> {
    let options = serde_saphyr::options! { strict_booleans: true };
    let tree: Tree =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| error.to_string())?;
    Ok(tree.0)
}

/// The model that JSON says, which a serialiser wrote.
///
/// # Errors
/// What does not fit the schema, with its place.
pub(crate) fn module_of(json: &str) -> Result<Module, String> {
    serde_json::from_str(json).map_err(|error| {
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or(&message);
        match place(json, error.column()) {
            place if place.is_empty() => what.to_owned(),
            place => format!("`{place}`: {what}"),
        }
    })
}

/// What is wrong with a bare `true` in a list, or `null`, of which it is not known whether a name is meant.
const NO_NAME: &str = "a name such as `true` or `null` has to stand in quotes";

/// A value without names that are none.
struct Tree(Value);

/// The name of something.
struct Name(String);

/// An element of a list, where no truth value may stand.
struct Listed(Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader { allows_truth: true }).map(Self)
    }
}

impl<'de> Deserialize<'de> for Listed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader { allows_truth: false }).map(Self)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

struct Reader {
    allows_truth: bool,
}

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, a number, a list or names with values")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        if self.allows_truth { Ok(Value::Bool(value)) } else { Err(E::custom(NO_NAME)) }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Err(E::custom(NO_NAME))
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Err(E::custom(NO_NAME))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(Listed(element)) = list.next_element()? {
            elements.push(element);
        }
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut named = Map::new();
        while let Some(Name(name)) = map.next_key()? {
            let Tree(value) = map.next_value()?;
            named.insert(name, value);
        }
        Ok(Value::Object(named))
    }
}
