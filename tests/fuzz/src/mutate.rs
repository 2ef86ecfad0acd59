//! Mutations of source text: small ones that often still parse, and rough ones that do not.

/// A small deterministic generator (SplitMix64), so that a seed names a case for good.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap_or(0)
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

/// Pieces of code that meet the rewrites and their traps.
const PIECES: &[&str] = &[
    "await ",
    "async ",
    "const a = await stat('a');\n",
    "const b = await readFile('b');\n",
    "let {c} = await stat(`x${y}`);\n",
    "var [d] = await readdir(path.join(dir, 'q'));\n",
    "try {\n",
    "} catch (e) { throw e }\n",
    "} finally { }\n",
    "if (x) return;\n",
    "if (x) ",
    " else ",
    "while (x) ",
    "do ",
    "async () => ",
    "return [await stat('a'), await readFile('b')];\n",
    "[await stat('a'), await readFile('b')]",
    "// comment\n",
    "/* block */",
    "\r\n",
    "\u{feff}",
    "\u{2028}",
    "é",
    "😀",
    "`${",
    "}`",
    "'",
    "\"",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "=>",
    "?.",
    "...",
    "yield ",
    "for await (const x of y) ",
    "class A {",
    "#p",
    "using r = f();\n",
    "await using s = f();\n",
    "<T>",
    "</a>",
    "<a b={",
    ": string",
    " as const",
    "import x from 'y';\n",
    "export ",
    "enum E { A }\n",
    "namespace N { }\n",
    "@d\n",
    "eval('x')",
    "arguments",
    "this.x",
    "super.y",
    "new.target",
    "0n",
    "/re/u",
    "label: ",
    "break;",
    "// headstart-ignore why\n",
    "\t",
    "    ",
];

/// One mutated text made from `seeds`.
pub(crate) fn mutate(seeds: &[(String, String)], random: &mut Random) -> (String, String) {
    let (name, text) = random.pick(seeds).cloned().unwrap_or_default();
    let mut text = text;
    let steps = random.pick(&[1, 1, 1, 2, 4]).copied().unwrap_or(1);
    for _ in 0..steps {
        text = step(&text, seeds, random);
    }
    (name, text)
}

fn step(text: &str, seeds: &[(String, String)], random: &mut Random) -> String {
    let (from, to) = (boundary(text, random), boundary(text, random));
    let (from, to) = (from.min(to), from.max(to));
    let near = (from + random.below(12)).min(text.len());
    let near = (near..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(from);
    match random.below(10) {
        8 | 9 => without_braces(text, random),
        0 | 1 => splice(text, from, from, random.pick(PIECES).copied().unwrap_or("")),
        2 => splice(text, from, near, random.pick(PIECES).copied().unwrap_or("")),
        3 => splice(text, from, near, ""),
        4 => splice(text, to, to, &text[from..near]),
        5 => delete_line(text, random),
        6 => duplicate_line(text, random),
        _ => {
            let other = random.pick(seeds).map_or("", |(_, text)| text.as_str());
            let start = boundary(other, random);
            let end = (start + random.below(400)).min(other.len());
            let end = (end..=other.len()).find(|&at| other.is_char_boundary(at)).unwrap_or(start);
            splice(text, from, near, &other[start..end])
        }
    }
}

/// A block becomes the one statement in it, or the expression that it returns where it is the body of
/// an arrow function.
fn without_braces(text: &str, random: &mut Random) -> String {
    let from = boundary(text, random);
    let Some(open) = text[from..].find('{').map(|at| from + at) else { return text.to_owned() };
    let mut depth = 0usize;
    let close = text[open..].char_indices().find(|&(_, it)| {
        depth += usize::from(it == '{');
        depth -= usize::from(it == '}');
        depth == 0
    });
    let Some(close) = close.map(|(at, _)| open + at) else { return text.to_owned() };
    let inner = text[open + 1..close].trim();
    let is_arrow = text[..open].trim_end().ends_with("=>");
    let returned = inner.strip_prefix("return ").filter(|_| is_arrow);
    let alone = match returned {
        Some(value) => format!("({})", value.trim_end_matches(';')),
        None => inner.to_owned(),
    };
    splice(text, open, close + 1, &alone)
}

fn splice(text: &str, from: usize, to: usize, with: &str) -> String {
    format!("{}{with}{}", &text[..from], &text[to..])
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let at = random.below(text.len() + 1);
    (at..=text.len()).find(|&it| text.is_char_boundary(it)).unwrap_or(text.len())
}

fn delete_line(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let gone = random.below(lines.len());
    let kept = lines.iter().enumerate().filter(|(index, _)| *index != gone);
    kept.map(|(_, line)| *line).collect()
}

fn duplicate_line(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let twice = random.below(lines.len());
    let mut result = String::with_capacity(text.len() + 80);
    for (index, line) in lines.iter().enumerate() {
        result.push_str(line);
        if index == twice {
            result.push_str(line);
        }
    }
    result
}
