//! Sorting lists by one copy of the sort: each type and each order that [`slice::sort_by`] is asked for would be 3 kB
//! more of the addon. Stable, as that is.

use std::cmp::Ordering;

/// As [`slice::sort_by`].
pub fn sort_by<T>(list: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted(list.len(), &|one, other| compare(&list[one], &list[other]));
    let mut places: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(order.into_iter().filter_map(|at| places[at].take()));
}

/// As [`slice::sort_by_key`].
pub fn sort_by_key<T, K: Ord>(list: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(list, |one, other| key(one).cmp(&key(other)));
}

/// As [`slice::sort`].
pub fn sort<T: Ord>(list: &mut Vec<T>) {
    sort_by(list, T::cmp);
}

/// The numbers below a count in the order of what they stand for.
#[inline(never)]
fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| compare(one, other));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_keeps_its_order() {
        let mut list: Vec<(usize, String)> =
            (0..100).map(|it| (it * 37 % 10, it.to_string())).collect();
        let mut expected = list.clone();
        expected.sort_by_key(|it| it.0);
        sort_by_key(&mut list, |it| it.0);
        assert_eq!(list, expected);
        expected.sort();
        sort(&mut list);
        assert_eq!(list, expected);
    }
}
