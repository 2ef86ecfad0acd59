//! x
use headstart_oracle::*;
fn main() {
    let only = std::env::args().nth(1);
    for (kind, list) in [("wrong", WRONG), ("right", RIGHT)] {
        for s in list {
            if only.as_ref().is_some_and(|o| !s.name.contains(o.as_str())) { continue }
            let t = std::time::Instant::now();
            let sum = run(1000, 1, &|p| Ok(s.apply(p).map(|r| r.to_string()))).expect("x");
            println!("{kind} {}: changed {} found {} inv {} und {} runs {} first {:?} {:.1}s", s.name, sum.changed, sum.found.len(), sum.invalid, sum.undecided, sum.runs, sum.found.first().map(|f| f.seed), t.elapsed().as_secs_f64());
            if kind == "right" || only.is_some() {
              for f in sum.found.iter().take(2) { println!("{}\n{}\n--- {}\n{}\n--- {} {}\n{}", f.seed, f.violation.rule, f.program, f.rewritten, f.violation.rule, f.violation.detail, f.violation.schedule.join("\n")); }
            }
        }
    }
    let sum = run(1000, 1, &|p| Ok(Some(p.to_string()))).expect("x");
    println!("identity: found {} inv {} und {} runs {}", sum.found.len(), sum.invalid, sum.undecided, sum.runs);
    for f in sum.found.iter().take(2) { println!("{}\n{}\n--- {}\n{}\n{}", f.seed, f.violation.rule, f.program, f.violation.detail, f.violation.schedule.join("\n")); }
}
