//! How often values occur, in bounded space.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::units::milliseconds;

/// Buckets of a [`Histogram`] for each power of two.
const STEPS: u64 = 16;
/// Values below this have a bucket of their own.
const EXACT: u64 = 2 * STEPS;

/// How often times occur: exactly below 3.2 microseconds, above that within a sixteenth of a power of two.
#[derive(Debug, Clone, Default)]
pub(crate) struct Histogram {
    buckets: Vec<u64>,
    count: u64,
    sum: u128,
    /// Nothing while there is no value.
    range: Option<(u64, u64)>,
}

/// The number of the bucket of a value.
#[inline]
fn bucket(value: u64) -> usize {
    if value < EXACT {
        return value as usize;
    }
    let exponent = u64::from(63 - value.leading_zeros());
    let step = value >> (exponent - 4) & (STEPS - 1);
    (EXACT + (exponent - 5) * STEPS + step) as usize
}

/// The least value of a bucket.
fn floor(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < EXACT {
        return bucket;
    }
    let exponent = (bucket - EXACT) / STEPS + 5;
    let step = (bucket - EXACT) % STEPS;
    (STEPS + step) << (exponent - 4)
}

impl Histogram {
    #[inline]
    pub(crate) fn add(&mut self, value: u64) {
        self.add_times(value, 1);
    }

    #[inline]
    pub(crate) fn add_times(&mut self, value: u64, times: u64) {
        let bucket = bucket(value);
        if bucket >= self.buckets.len() {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += times;
        self.count += times;
        self.sum += u128::from(value) * u128::from(times);
        self.spread(value, value);
    }

    #[inline]
    fn spread(&mut self, low: u64, high: u64) {
        let (min, max) = self.range.unwrap_or((low, high));
        self.range = Some((min.min(low), max.max(high)));
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        if other.buckets.len() > self.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (sum, more) in self.buckets.iter_mut().zip(&other.buckets) {
            *sum += more;
        }
        self.count += other.count;
        self.sum += other.sum;
        if let Some((low, high)) = other.range {
            self.spread(low, high);
        }
    }

    /// The value that half of all are at most, within the width of a bucket.
    pub(crate) fn median(&self) -> u64 {
        let mut left = self.count.div_ceil(2);
        for (number, times) in self.buckets.iter().enumerate() {
            if *times >= left {
                return self.typical(number);
            }
            left -= times;
        }
        0
    }

    /// What values in a bucket are like: its middle, as far as there are any such.
    fn typical(&self, number: usize) -> u64 {
        let (min, max) = self.range.unwrap_or_default();
        floor(number).midpoint(floor(number + 1) - 1).clamp(min, max)
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn curve(&self) -> Curve {
        let filled = self.buckets.iter().enumerate().filter(|(_, it)| **it > 0);
        Curve {
            count: self.count,
            sum: milliseconds(self.sum),
            max: milliseconds(self.range.unwrap_or_default().1.into()),
            buckets: filled
                .map(|(number, times)| (milliseconds(self.typical(number).into()), *times))
                .collect(),
        }
    }
}

/// A distribution of times.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// Values in all.
    pub count: u64,
    /// Their sum in milliseconds.
    pub sum: f64,
    /// The largest, in milliseconds.
    pub max: f64,
    /// The middle of each bucket that is not empty, in milliseconds, and how many values are in it.
    pub buckets: Vec<(f64, u64)>,
}

/// How often numbers occur, exactly.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    small: Vec<u64>,
    large: BTreeMap<u64, u64>,
}

/// Numbers below this are counted in a list.
const SMALL: u64 = 4096;

impl Counts {
    #[inline]
    pub(crate) fn add(&mut self, value: u64) {
        self.add_times(value, 1);
    }

    #[inline]
    fn add_times(&mut self, value: u64, times: u64) {
        if value >= SMALL {
            *self.large.entry(value).or_default() += times;
            return;
        }
        let value = value as usize;
        if value >= self.small.len() {
            self.small.resize(value + 1, 0);
        }
        self.small[value] += times;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (value, times) in other.values() {
            self.add_times(value, times);
        }
    }

    /// All numbers that occur, ascending, with how often.
    pub(crate) fn values(&self) -> Vec<(u64, u64)> {
        let small = self.small.iter().enumerate();
        let small = small.filter(|(_, times)| **times > 0);
        let large = self.large.iter().map(|(value, times)| (*value, *times));
        small.map(|(value, times)| (value as u64, *times)).chain(large).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_adjacent_and_hold_their_floor() {
        let mut last = None;
        for value in (0..5000).chain((13..63).map(|it| 1 << it)) {
            let number = bucket(value);
            assert_eq!(bucket(floor(number)), number, "{value}");
            assert!(floor(number) <= value && value < floor(number + 1), "{value}");
            assert!(last <= Some(number));
            last = Some(number);
        }
    }
}
