//! The places of the source that wait the longest.

use std::collections::BTreeMap;

use crate::analyse::{Pass, Thread};
use crate::decode::{Dictionary, Site};
use crate::follow::UNKNOWN;
use crate::measures::Place;
use crate::report::PlaceReport;
use crate::units::milliseconds;

/// The most places that are reported.
const PLACES: usize = 1000;

/// What all threads together wait for at each place, the longest first; those of packages come after the program's own.
pub(crate) fn places(threads: &[Thread]) -> Vec<PlaceReport> {
    // Those that are not the program's own come last.
    let mut places: BTreeMap<(bool, Site, String), Place> = BTreeMap::new();
    for thread in threads.iter().filter(|it| it.pass() != Pass::Topology) {
        let dictionary = &thread.decoded.dictionary;
        for ((site, kind), place) in &thread.microtasks.places.sites {
            let Some(site) = dictionary.sites.get(*site as usize) else {
                continue;
            };
            let foreign = !is_own(site, thread.folder.as_deref());
            let key = (foreign, site.clone(), kind_name(dictionary, *kind).to_owned());
            places.entry(key).or_default().merge(place);
        }
    }
    let mut places: Vec<_> = places.into_iter().collect();
    places.sort_by_key(|((foreign, ..), place)| (*foreign, std::cmp::Reverse(place.waited)));
    places.truncate(PLACES);
    places
        .into_iter()
        .map(|((foreign, site, kind), place)| row(!foreign, site, kind, &place))
        .collect()
}

/// The name of a type.
pub(crate) fn kind_name(dictionary: &Dictionary, kind: u32) -> &str {
    match dictionary.types.get(kind as usize) {
        Some(kind) => &kind.name,
        None if kind == UNKNOWN => "registered before the recording",
        None => "unknown",
    }
}

/// Whether a place is the program's, and not one of a package or of another program that was recorded with it.
fn is_own(site: &Site, folder: Option<&str>) -> bool {
    let inside = match folder {
        Some(folder) if !site.file.contains("://") => site.file.starts_with(folder),
        _ => true,
    };
    inside && !site.file.replace('\\', "/").contains("/node_modules/")
}

fn row(own: bool, site: Site, kind: String, place: &Place) -> PlaceReport {
    PlaceReport {
        own,
        file: site.file,
        line: site.line,
        column: site.column,
        function: site.function,
        kind,
        samples: place.samples,
        runs: place.runs,
        waited: milliseconds(place.waited),
        median_gap: milliseconds(place.gaps.median().into()),
        median_pair: milliseconds(place.pairs.median().into()),
        ran: milliseconds(place.ran),
        gaps: place.gaps.count(),
        interrupted: place.interrupted,
        interrupted_by_other_tree: place.by_other_tree,
    }
}
