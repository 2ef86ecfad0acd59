//! Units of time.

/// Milliseconds from units of 100 ns.
pub(crate) fn milliseconds(units: u128) -> f64 {
    units as f64 / 10_000.0
}
