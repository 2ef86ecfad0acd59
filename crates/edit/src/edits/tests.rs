#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::testing::Random;

fn edit(start: u32, end: u32, text: &str) -> Edit {
    Edit { start, end, text: text.to_owned() }
}

fn taking(source: &str, edits: &[(u32, u32)]) -> EditSet {
    let mut set = EditSet::new(source);
    for &(start, end) in edits {
        set.push_group(vec![edit(start, end, "<>")]).unwrap();
    }
    set
}

#[test]
fn edits_apply_in_order_of_offset() {
    let source = "let a = await b;\r\n";
    let mut set = EditSet::new(source);
    set.push_group(vec![edit(8, 14, ""), edit(16, 16, " // end")]).unwrap();
    set.push_group(vec![edit(0, 3, "const")]).unwrap();
    assert_eq!(set.apply(source), "const a = b; // end\r\n");
}

#[test]
fn an_empty_set_changes_nothing() {
    let mut set = EditSet::new("é\r\n");
    assert!(set.is_empty());
    let group = set.push_group(Vec::new()).unwrap();
    assert_eq!((group.index(), set.apply("é\r\n").as_str()), (0, "é\r\n"));
}

#[test]
fn overlapping_spans_are_refused() {
    for taken in [(2, 6), (0, 8), (3, 4), (0, 3), (5, 8)] {
        let mut set = taking("abcdefgh", &[taken]);
        let conflict = set.push_group(vec![edit(2, 6, "x")]).unwrap_err();
        assert_eq!(
            conflict,
            Conflict::Overlap { edit: 2..6, taken: taken.0..taken.1, group: Some(GroupId(0)) }
        );
    }
}

#[test]
fn insertions_conflict_at_one_point_and_inside_a_span() {
    let mut set = taking("abcdefgh", &[(4, 4)]);
    assert!(set.push_group(vec![edit(4, 4, "x")]).is_err());
    assert!(set.push_group(vec![edit(3, 5, "x")]).is_err());
    let mut set = taking("abcdefgh", &[(3, 5)]);
    assert!(set.push_group(vec![edit(4, 4, "x")]).is_err());
}

#[test]
fn touching_spans_and_insertions_at_their_ends_are_taken() {
    let source = "abcdefgh";
    let mut set = EditSet::new(source);
    for (start, end, text) in [(4, 6, "EF"), (4, 4, "|"), (2, 4, "CD"), (6, 6, "}"), (2, 2, "{")] {
        set.push_group(vec![edit(start, end, text)]).unwrap();
    }
    assert_eq!(set.apply(source), "ab{CD|EF}gh");
}

#[test]
fn a_refused_group_leaves_no_edit_behind() {
    let source = "abcdefgh";
    let mut set = taking(source, &[(4, 5)]);
    let before = set.apply(source);
    assert!(set.push_group(vec![edit(0, 1, "x"), edit(4, 6, "y"), edit(7, 8, "z")]).is_err());
    assert_eq!(set.apply(source), before);
    let next = set.push_group(vec![edit(0, 1, "x")]).unwrap();
    assert_eq!(next, GroupId(1), "a refused group must not use up a group id");
}

#[test]
fn a_group_may_not_overlap_itself() {
    let mut set = EditSet::new("abcdefgh");
    let conflict = set.push_group(vec![edit(0, 4, ""), edit(3, 5, "")]).unwrap_err();
    assert!(matches!(conflict, Conflict::Overlap { group: None, .. }));
    assert!(set.is_empty());
}

#[test]
fn spans_outside_the_text_or_its_characters_are_refused() {
    let mut set = EditSet::new("aé😀");
    let cases = [
        (8, 7, "the edit of bytes 8..7 ends before it starts"),
        (3, 8, "the edit of bytes 3..8 reaches past the text, which is bytes 0..7"),
        (2, 3, "the edit of bytes 2..3 cuts the character around byte 2"),
        (3, 6, "the edit of bytes 3..6 cuts the character around byte 6"),
    ];
    for (start, end, message) in cases {
        let conflict = set.push_group(vec![edit(start, end, "")]).unwrap_err();
        assert_eq!(conflict.to_string(), message);
    }
    set.push_group(vec![edit(1, 3, "e"), edit(3, 7, ":)")]).unwrap();
    assert_eq!(set.apply("aé😀"), "ae:)");
}

#[test]
fn an_overlap_names_both_spans() {
    let mut set = taking("abcdefgh", &[(2, 6)]);
    let conflict = set.push_group(vec![edit(5, 7, "")]).unwrap_err();
    assert_eq!(
        conflict.to_string(),
        "the edit of bytes 5..7 overlaps an edit taken before, of bytes 2..6"
    );
}

#[test]
#[should_panic(expected = "edits applied to another text")]
fn applying_to_another_text_is_a_bug() {
    EditSet::new("abc").apply("ab");
}

#[test]
fn offsets_map_to_where_their_byte_went() {
    let source = "abcdefgh";
    let mut set = EditSet::new(source);
    set.push_group(vec![edit(2, 2, "++"), edit(4, 6, "x"), edit(6, 6, "!"), edit(8, 8, "$")])
        .unwrap();
    assert_eq!(set.apply(source), "ab++cdx!gh$");
    let mapped: Vec<u32> = (0..=8).map(|old| set.map_offset(old)).collect();
    assert_eq!(mapped, [0, 1, 4, 5, 6, 6, 8, 9, 11]);
}

/// Compares with a plain model: a list of accepted spans checked pairwise.
#[test]
fn random_groups_agree_with_a_pairwise_model() {
    let source: String = ('a'..='z').collect();
    let mut random = Random::new(7);
    for _ in 0..500 {
        let mut set = EditSet::new(&source);
        let mut model: Vec<Edit> = Vec::new();
        for _ in 0..12 {
            let start = random.below(24) as u32;
            let new = edit(start, start + random.below(3) as u32, "#");
            let free = model.iter().all(|taken| !pairwise_clash(taken, &new));
            // What another group inserts already is made once.
            let is_shared = new.start == new.end && model.contains(&new);
            assert_eq!(set.push_group(vec![new.clone()]).is_ok(), free || is_shared);
            if free {
                model.push(new);
            }
        }
        check_untouched(&source, &set, &model);
    }
}

/// States the rule by listing positions rather than by comparing ends as the code does:
/// byte `i` occupies position `2i + 1`, the gap before it position `2i`.
fn pairwise_clash(a: &Edit, b: &Edit) -> bool {
    let positions = |edit: &Edit| {
        if edit.start == edit.end {
            vec![edit.start * 2]
        } else {
            (edit.start * 2 + 1..edit.end * 2).collect()
        }
    };
    let of_b = positions(b);
    positions(a).iter().any(|position| of_b.contains(position))
}

fn check_untouched(source: &str, set: &EditSet, model: &[Edit]) {
    let output = set.apply(source);
    for (offset, byte) in (0u32..).zip(source.bytes()) {
        if model.iter().all(|edit| !edit.span().contains(&offset)) {
            assert_eq!(output.as_bytes()[set.map_offset(offset) as usize], byte);
        }
    }
    assert_eq!(set.map_offset(source.len() as u32) as usize, output.len());
}
