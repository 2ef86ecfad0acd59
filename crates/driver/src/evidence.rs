//! What runs of the program have shown of its awaits (`headstart observe`, docs/observe.md), as far as it is about one
//! program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use headstart_callgraph::InstRef;
use headstart_edit::SourceText;
use headstart_effects::{Answers, SeenTo, Sight, Told, only_reads};
use headstart_frontend::{SourceFile, Warning, WarningKind};
use headstart_ir::order::{sort, sort_by_key};
use headstart_ir::{Inst, InstId, Span};
use headstart_overlap::Finding;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::analyse::{FileFindings, read_again};
use crate::paths::real;
use crate::profile::by_file;
use crate::programs::Loaded;
use crate::render::pretty::{duration, plural};
use crate::report::Range;
use crate::request::Common;

/// So many operations are named in a sentence; the others are counted.
const MOST_NAMED: usize = 2;
/// So many are listed where an await is explained.
const MOST_SHOWN: usize = 8;
/// The longest name of an operation in a sentence, in characters.
const LONGEST_NAME: usize = 72;
/// Commands that only read (Redis, "Commands": those with the flag `readonly`).
const REDIS_READS: &str = " BITCOUNT BITPOS DBSIZE DUMP EXISTS EXPIRETIME GEODIST GEOHASH GEOPOS GEOSEARCH GET GETBIT \
    GETRANGE HEXISTS HGET HGETALL HKEYS HLEN HMGET HRANDFIELD HSCAN HSTRLEN HVALS KEYS LCS LINDEX LLEN LPOS LRANGE \
    MGET PEXPIRETIME PFCOUNT PTTL RANDOMKEY SCAN SCARD SDIFF SINTER SINTERCARD SISMEMBER SMEMBERS SMISMEMBER SRANDMEMBER \
    SSCAN STRLEN SUNION TTL TYPE XLEN XRANGE XREVRANGE ZCARD ZCOUNT ZDIFF ZINTER ZINTERCARD ZLEXCOUNT ZMSCORE \
    ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE \
    ZUNION ";
/// Commands of MongoDB that only read, but for `aggregate`, which may store what it finds.
const MONGODB_READS: &str =
    " count countDocuments distinct estimatedDocumentCount find getMore listCollections ";
/// Those that write.
const MONGODB_WRITES: &str = " bulkWrite delete findAndModify insert update ";
/// How statements of SQL begin that change something.
const SQL_WRITES: [&str; 10] = [
    "alter", "begin", "commit", "create", "delete", "drop", "insert", "replace", "truncate",
    "update",
];

/// What runs have shown of one place.
#[derive(Debug, Deserialize)]
pub(crate) struct SeenPlace {
    /// Absolute.
    file: PathBuf,
    /// Counted from one, as is the column, which counts UTF-16 units.
    line: u32,
    column: u32,
    /// How often what is awaited there was called.
    calls: usize,
    /// How long they took in all, in milliseconds.
    ms: f64,
    operations: Vec<SeenOperation>,
    /// The awaits that have begun in these calls, by their places in the list of all; none where one of them has changed since.
    inner: Option<Vec<usize>>,
    /// Its own place there.
    #[serde(skip)]
    index: usize,
}

/// Something that was done in these calls.
#[derive(Debug, Deserialize)]
pub(crate) struct SeenOperation {
    /// As `headstart observe` writes it: `sql postgresql SELECT …`.
    what: String,
    times: u64,
}

/// What runs have shown, by file.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<SeenPlace>")]
pub(crate) struct Evidence(FxHashMap<PathBuf, Vec<SeenPlace>>);

impl From<Vec<SeenPlace>> for Evidence {
    fn from(places: Vec<SeenPlace>) -> Self {
        let numbered = (0..).zip(places).map(|(index, it)| SeenPlace { index, ..it });
        Self(by_file(numbered, |it| &it.file))
    }
}

/// How long the waits of a finding were when they were observed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Seen {
    /// How often the one that ran most often did.
    pub(crate) runs: usize,
    /// Milliseconds that they took, over all runs.
    pub(crate) waited_ms: f64,
    /// How much less that would be if they overlapped, each of them as long as on average; 0 where it is one wait in
    /// a loop.
    pub(crate) needless_ms: f64,
}

impl Seen {
    /// It as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let runs = plural(self.runs, "run");
        let waited = duration(self.waited_ms);
        let needless = match self.needless_ms {
            it if it > 0.0 => format!(", {} of it needlessly", duration(it)),
            _ => String::new(),
        };
        format!("observed in {runs} that waited {waited} in all{needless}")
    }
}

/// Notes at each finding how long was waited there.
pub(crate) fn measure(common: &Common, found: &mut [FileFindings]) {
    for file in found {
        let Some(places) = common.evidence.0.get(&real(&file.path)) else { continue };
        for located in &mut file.findings {
            located.seen = seen_at(&located.finding, &file.source, places);
        }
    }
}

fn seen_at(finding: &Finding, source: &SourceText, places: &[SeenPlace]) -> Option<Seen> {
    let spans = std::iter::once(&finding.range).chain(&finding.overlaps);
    let ranges: Vec<Range> = spans.map(|it| Range::of(*it, source)).collect();
    let is_inside = |it: &&SeenPlace| ranges.iter().any(|range| range.holds(it.line, it.column));
    let inside: Vec<&SeenPlace> =
        places.iter().filter(|it| it.calls > 0).filter(is_inside).collect();
    let calls = || inside.iter().map(|it| it.calls);
    #[expect(clippy::cast_precision_loss, reason = "nobody has run anything 2^52 times")]
    let averages = || inside.iter().map(|it| it.ms / it.calls as f64);
    let together = averages().sum::<f64>() - averages().fold(0.0, f64::max);
    #[expect(clippy::cast_precision_loss, reason = "as above")]
    let all = calls().min()? as f64;
    Some(Seen {
        runs: calls().max()?,
        waited_ms: inside.iter().map(|it| it.ms).sum(),
        needless_ms: together * all,
    })
}

/// What was seen of the await at a place, one sentence a line.
pub(crate) fn sentences(
    common: &Common,
    path: &Path,
    source: &SourceText,
    at: Span,
) -> Vec<String> {
    let start = Range::of(at, source).start;
    let is_it = |it: &&SeenPlace| (it.line, it.column) == (start.line, start.column);
    let places = common.evidence.0.get(path).map(Vec::as_slice).unwrap_or_default();
    let Some(place) = places.iter().filter(|it| it.calls > 0).find(is_it) else {
        return Vec::new();
    };
    let mut operations: Vec<&SeenOperation> = place.operations.iter().collect();
    sort_by_key(&mut operations, |it| std::cmp::Reverse(it.times));
    let mut said = vec![format!("{}, {} in all", plural(place.calls, "run"), duration(place.ms))];
    if operations.is_empty() {
        said.push("nothing outside of the program was touched".to_owned());
    }
    said.extend(operations.iter().take(MOST_SHOWN).map(|it| format!("{} × {}", it.times, it.what)));
    if operations.len() > MOST_SHOWN {
        said.push(format!("{} more", operations.len() - MOST_SHOWN));
    }
    said
}

/// Something that the user should know of a recording.
#[derive(Debug, Deserialize)]
pub(crate) struct EvidenceNote {
    /// Of the recording, absolute.
    path: PathBuf,
    message: String,
}

/// What is wrong with recordings.
pub(crate) fn notes(common: &Common) -> impl Iterator<Item = Warning> {
    common.evidence_notes.iter().map(|EvidenceNote { path, message }| Warning {
        kind: WarningKind::Evidence,
        path: path.clone(),
        message: message.clone(),
    })
}

/// What is told of a program beside its code.
pub(crate) fn told(common: &Common, loaded: &Loaded, answers: Answers) -> Told {
    let mut seen: Vec<(InstRef, &SeenPlace)> = Vec::new();
    for (index, file) in (0..).zip(&loaded.program.files) {
        if let Some(places) = common.evidence.0.get(&file.path) {
            seen.extend(seen_in(index, file, places));
        }
    }
    let awaits: FxHashMap<usize, InstRef> =
        seen.iter().map(|(at, place)| (place.index, *at)).collect();
    let sights = seen.iter().map(|(at, place)| (*at, sight(place, &awaits))).collect();
    Told { answers, sights }
}

/// What was seen of the awaits of a file. Of one that has changed while it was being looked at, nothing.
fn seen_in<'p>(
    index: u32,
    file: &SourceFile,
    places: &'p [SeenPlace],
) -> Vec<(InstRef, &'p SeenPlace)> {
    let mut seen = Vec::new();
    let Ok(source) = read_again(file) else { return seen };
    let by_place: FxHashMap<(u32, u32), &SeenPlace> =
        places.iter().map(|it| ((it.line, it.column), it)).collect();
    for (inst, _) in file.ir.insts.iter().enumerate().filter(|it| matches!(it.1, Inst::Await(_))) {
        let at = InstRef { file: index, inst: InstId::new(inst) };
        let start = Range::of(file.ir.span(at.inst), &source).start;
        if let Some(place) = by_place.get(&(start.line, start.column)) {
            seen.push((at, *place));
        }
    }
    seen
}

/// What was seen at a place; `awaits` are those of the program, by their places in the list of all.
fn sight(place: &SeenPlace, awaits: &FxHashMap<usize, InstRef>) -> Sight {
    let all = || place.operations.iter().filter_map(|it| Some((does(&it.what)?, it)));
    let worst = all().map(|it| it.0).max_by_key(|it| match it {
        SeenTo::Nothing => 0,
        SeenTo::Read => 1,
        SeenTo::Unclear => 2,
        SeenTo::Write => 3,
    });
    let does = match (place.calls, &place.inner) {
        (0, _) | (_, None) => SeenTo::Unclear,
        _ => worst.unwrap_or(SeenTo::Nothing),
    };
    let touched = touched(all().map(|it| it.1).collect());
    let mut inner: Vec<InstRef> =
        place.inner.iter().flatten().filter_map(|it| awaits.get(it).copied()).collect();
    sort(&mut inner);
    Sight { does, calls: place.calls, touched, inner: inner.into() }
}

/// Operations as a sentence names them, the most frequent first.
fn touched(mut operations: Vec<&SeenOperation>) -> String {
    sort_by_key(&mut operations, |it| std::cmp::Reverse(it.times));
    let named: Vec<String> = operations.iter().take(MOST_NAMED).map(|it| short(&it.what)).collect();
    let mut text = named.join("; ");
    if operations.len() > MOST_NAMED {
        let _ = write!(text, "; {} more", operations.len() - MOST_NAMED);
    }
    text
}

fn short(what: &str) -> String {
    let plain = what.strip_prefix("sql ").and_then(|it| it.split_once(' ')).map_or(what, |it| it.1);
    match plain.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", plain[..end].trim_end()),
        None => plain.to_owned(),
    }
}

/// What an operation does outside of the program; none where that is only part of another one.
fn does(what: &str) -> Option<SeenTo> {
    let (kind, rest) = what.split_once(' ').unwrap_or((what, ""));
    let (first, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_of = |list: &str| list.contains(&format!(" {first} "));
    Some(match (kind, first) {
        // Datagrams, of metrics as a rule, have no order that anybody could rely on.
        ("dns", _) | ("send", "(datagram)") => return None,
        ("fs", "read") | ("http", "GET" | "HEAD" | "OPTIONS") => SeenTo::Read,
        ("fs", "write") | ("http", _) => SeenTo::Write,
        // What clients say to get a connection is the first caller's by chance.
        ("redis", "AUTH" | "CLIENT" | "CONNECT" | "HELLO" | "INFO" | "PING") => return None,
        ("redis", _) if is_of(REDIS_READS) => SeenTo::Read,
        ("redis", _) => SeenTo::Write,
        ("mongodb", _) if is_of(MONGODB_READS) => SeenTo::Read,
        ("mongodb", _) if is_of(MONGODB_WRITES) => SeenTo::Write,
        ("sql", _) => does_statement(behind),
        _ => SeenTo::Unclear,
    })
}

/// What a statement does. Of one that is cut off nobody knows the end, and what a query calls may write.
fn does_statement(text: &str) -> SeenTo {
    let first = text.split(|it: char| !it.is_ascii_alphabetic()).next().unwrap_or_default();
    if SQL_WRITES.iter().any(|it| first.eq_ignore_ascii_case(it)) {
        SeenTo::Write
    } else if !text.ends_with("(cut)") && only_reads(text) {
        SeenTo::Read
    } else {
        SeenTo::Unclear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_operations_do() {
        for (what, expected) in [
            ("fs read a.txt", Some(SeenTo::Read)),
            ("fs write a.txt", Some(SeenTo::Write)),
            ("dns example.com", None),
            ("send (datagram)", None),
            ("connect mail:25", Some(SeenTo::Unclear)),
            ("process git", Some(SeenTo::Unclear)),
            ("http GET https://host/a", Some(SeenTo::Read)),
            ("http POST https://host/a", Some(SeenTo::Write)),
            ("redis GET", Some(SeenTo::Read)),
            ("redis ZADD", Some(SeenTo::Write)),
            ("redis EVAL", Some(SeenTo::Write)),
            ("mongodb find users", Some(SeenTo::Read)),
            ("mongodb aggregate users", Some(SeenTo::Unclear)),
            ("mongodb insert users", Some(SeenTo::Write)),
            ("sql postgresql SELECT a FROM b WHERE c = ? AND d = $1", Some(SeenTo::Read)),
            ("sql postgresql SELECT next_number(?)", Some(SeenTo::Unclear)),
            ("sql postgresql SELECT a FROM b (cut)", Some(SeenTo::Unclear)),
            ("sql postgresql SELECT a, … FROM b", Some(SeenTo::Read)),
            ("sql mysql insert into b values (?, …)", Some(SeenTo::Write)),
            ("sql postgresql BEGIN", Some(SeenTo::Write)),
            ("something else", Some(SeenTo::Unclear)),
        ] {
            assert_eq!(does(what), expected, "{what}");
        }
    }

    #[test]
    fn what_is_touched_is_short() {
        let of = |what: &str, times| SeenOperation { what: what.to_owned(), times };
        let long = format!("sql postgresql SELECT {}", "x".repeat(200));
        let all = [of("fs read a", 1), of(&long, 9), of("redis GET", 3)];
        let text = touched(all.iter().collect());
        assert_eq!(text, format!("SELECT {}…; redis GET; 1 more", "x".repeat(65)));
    }
}
