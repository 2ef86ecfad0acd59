//! Statements that change the session of a connection: the next query on a pool has another connection when the
//! one before is under way, and with it another session. And statements that look at what others do.

use headstart_ir::{FileIr, Inst, InstId, Literal};

/// How such statements begin (PostgreSQL, MySQL and SQLite, "SQL statements").
const BEGINNINGS: [&str; 14] = [
    "alter session ",
    "attach ",
    "begin",
    "create global temp",
    "create local temp",
    "create temp",
    "declare ",
    "discard ",
    "lock ",
    "pragma ",
    "reset ",
    "set ",
    "start transaction",
    "use ",
];
/// What a query looks at that shows the others.
const WATCHED: [&str; 5] =
    ["pg_locks", "pg_stat_activity", "processlist", "set_config(", "tasklist"];
/// How much of a text is looked at.
const LONGEST_LOOK: usize = 4000;

/// The first place in a file where such a statement stands.
pub(crate) fn first_of_session(ir: &FileIr) -> Option<InstId> {
    let all = ir.insts.iter().enumerate();
    let of = |(index, inst): (usize, &Inst)| match *inst {
        Inst::Literal(Literal::String(text)) if is_of_session(ir.name(text)) => {
            Some(InstId::new(index))
        }
        _ => None,
    };
    all.filter_map(of).next()
}

fn is_of_session(text: &str) -> bool {
    let text = text.trim_start();
    if text.len() < 4 {
        return false;
    }
    let end = (0..=LONGEST_LOOK.min(text.len())).rev().find(|&it| text.is_char_boundary(it));
    let text = text[..end.unwrap_or(0)].to_ascii_lowercase();
    BEGINNINGS.iter().any(|it| text.starts_with(it)) || WATCHED.iter().any(|it| text.contains(it))
}
