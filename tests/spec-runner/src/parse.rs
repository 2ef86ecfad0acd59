//! Reading the cases of a Markdown file.

use crate::case::{Case, Verdict};

/// The cases of a Markdown text. Headings without a verdict are prose.
///
/// # Errors
/// A case that is not complete, named by its heading.
pub fn parse(text: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut current: Option<Case> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("## ") || line.starts_with("### ") {
            finish(current.take(), &mut cases)?;
            let title = line.trim_start_matches('#').trim().to_owned();
            current = Some(Case { title, ..Case::default() });
        } else if let Some(info) = line.strip_prefix("```") {
            let block = take_block(&mut lines);
            if let Some(case) = &mut current {
                add_block(case, info.trim(), block)?;
            }
        } else if let Some(case) = &mut current {
            read_line(case, line.trim());
        }
    }
    finish(current, &mut cases)?;
    Ok(cases)
}

/// The lines up to the end of a block.
pub(crate) fn take_block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut block = String::new();
    for line in lines.take_while(|line| !line.starts_with("```")) {
        block.push_str(line);
        block.push('\n');
    }
    block
}

fn read_line(case: &mut Case, line: &str) {
    let verdict = match line {
        "`safe`" => Some(Verdict::Safe),
        "`likely`" => Some(Verdict::Likely),
        "`safe` and `likely`" => Some(Verdict::Both),
        "`hint`" => Some(Verdict::Hint),
        "`none`" => Some(Verdict::None),
        "`not safe`" => Some(Verdict::NotSafe),
        _ => None,
    };
    if case.verdict.is_none() && verdict.is_some() {
        case.verdict = verdict;
    } else if let Some(text) = line.strip_prefix("- assumes that ") {
        case.assumptions.push(text.to_owned());
    } else if let Some(text) = line.strip_prefix("- in the way: ") {
        case.blockers.push(text.to_owned());
    } else if line == "- logs in any order" {
        case.logs_in_any_order = true;
    } else if let Some(text) = line.strip_prefix("- why not: ") {
        case.reasons.push(text.to_owned());
    }
}

/// `js before`, `ts before file=a.ts`, `js after`.
fn add_block(case: &mut Case, info: &str, block: String) -> Result<(), String> {
    let words: Vec<&str> = info.split_whitespace().collect();
    let [extension, role, rest @ ..] = words.as_slice() else { return Ok(()) };
    match *role {
        "before" => {
            let named = rest.iter().find_map(|word| word.strip_prefix("file="));
            let name = named.map_or_else(|| format!("main.{extension}"), str::to_owned);
            case.files.push((name, block));
        }
        "after" if case.after.is_none() => case.after = Some(block),
        "after" => return Err(format!("{}: two blocks `after`", case.title)),
        _ => {}
    }
    Ok(())
}

fn finish(case: Option<Case>, cases: &mut Vec<Case>) -> Result<(), String> {
    let Some(case) = case else { return Ok(()) };
    let fail = |what: &str| Err(format!("{}: {what}", case.title));
    let Some(verdict) = case.verdict else {
        let is_text = case.files.is_empty();
        return if is_text { Ok(()) } else { fail("no verdict, or one that nobody knows") };
    };
    if case.files.is_empty() {
        return fail("no block `before`");
    }
    let is_fixed = matches!(verdict, Verdict::Safe | Verdict::Likely | Verdict::Both);
    if is_fixed != case.after.is_some() {
        return fail("a block `after` belongs to `safe` and `likely`, and only to them");
    }
    let may_assume = matches!(verdict, Verdict::Likely | Verdict::Both | Verdict::Hint);
    if (verdict == Verdict::Likely && case.assumptions.is_empty())
        || (!may_assume && !case.assumptions.is_empty())
    {
        return fail("`likely` needs assumptions, `safe` and `none` have none");
    }
    if !matches!(verdict, Verdict::NotSafe | Verdict::None) && !case.reasons.is_empty() {
        return fail("reasons belong to `not safe` and `none`");
    }
    if (verdict == Verdict::Hint) == case.blockers.is_empty() {
        return fail("blockers belong to `hint`, and only to it");
    }
    cases.push(case);
    Ok(())
}
