//! Whether a document in GraphQL only asks.

use headstart_ir::{Inst, InstId};

use super::roots::Roots;

impl Roots<'_, '_> {
    /// The text of a document in GraphQL, perhaps one that a tag only puts together.
    pub(super) fn document(&self, value: InstId) -> Option<String> {
        let ir = self.ir();
        let value = match ir.inst(value) {
            Inst::LoadVar(var) => self.all.graph.always(self.function.file, var)?,
            _ => value,
        };
        let Inst::Call { callee, args } = ir.inst(value) else { return self.text(value) };
        const TAGS: [(&str, &[&str]); 3] =
            [("graphql-request", &["gql"]), ("graphql-tag", &["gql"]), ("graphql-tag", &[])];
        let is_tag = TAGS.iter().any(|it| self.all.graph.is_member(self.at(callee), it.0, it.1));
        let Inst::Array(texts) = ir.inst(*ir.args(args).first().filter(|_| is_tag)?) else {
            return None;
        };
        match ir.args(texts) {
            [only] => self.text(*only),
            _ => None,
        }
    }
}

/// Whether a document in GraphQL has operations of the kind `query`, and no other (GraphQL specification,
/// 2.3).
pub(super) fn only_asks(document: &str) -> bool {
    let mut depth = 0_u32;
    let mut asks = false;
    let mut word = String::new();
    let mut is_head = true;
    for sign in document.chars().chain([' ']) {
        // Texts and comments may hold anything.
        if matches!(sign, '"' | '#') {
            return false;
        }
        if sign.is_alphanumeric() || sign == '_' {
            word.push(sign);
            continue;
        }
        let name = std::mem::take(&mut word);
        if depth == 0 && is_head && !name.is_empty() {
            match name.as_str() {
                "query" => asks = true,
                "fragment" => {}
                _ => return false,
            }
            is_head = false;
        }
        match sign {
            '{' | '(' | '[' => {
                asks |= depth == 0 && is_head && sign == '{';
                depth += 1;
            }
            '}' | ')' | ']' => {
                let Some(outer) = depth.checked_sub(1) else { return false };
                depth = outer;
                is_head = depth == 0 && sign == '}';
            }
            _ => {}
        }
    }
    asks && depth == 0
}
