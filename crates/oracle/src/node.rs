//! Child processes that run programs in virtual worlds.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::{Deserialize, Serialize};

/// A program and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The source text of the program.
    pub original: String,
    /// The source text of the rewritten program.
    pub rewritten: String,
    /// What the worlds and the schedules are made of.
    pub seed: u32,
}

/// What running both programs of a pair showed.
#[derive(Clone, Debug, Deserialize)]
pub struct Verdict {
    /// How often a program was run.
    pub runs: u64,
    /// How many runs could not be judged, since the original has too many schedules.
    pub undecided: u64,
    /// Whether the original does not run as it is.
    pub invalid: bool,
    /// What the rewritten program must not do and does.
    pub violation: Option<Violation>,
}

/// A rule of the contract that a run breaks.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Violation {
    /// The rule.
    pub rule: String,
    /// What differs.
    pub detail: String,
    /// The events of the run, one a line.
    pub schedule: Vec<String>,
}

/// A Node process that takes batches of pairs.
#[derive(Debug)]
pub struct Node {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Node {
    /// Starts a process.
    ///
    /// # Errors
    /// `node` is not there.
    pub fn start() -> io::Result<Self> {
        let worker = Path::new(env!("CARGO_MANIFEST_DIR")).join("world/worker.mjs");
        let mut child = Command::new("node")
            .arg("--no-warnings")
            .arg(worker)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    /// Runs a batch; the verdicts are in the order of the pairs.
    ///
    /// # Errors
    /// The process ended.
    pub fn check(&mut self, pairs: &[Pair]) -> io::Result<Vec<Verdict>> {
        let input = self.input.as_mut().ok_or_else(|| io::Error::other("no input"))?;
        let mut line = serde_json::to_string(pairs)?;
        line.push('\n');
        input.write_all(line.as_bytes())?;
        let mut answer = String::new();
        if self.output.read_line(&mut answer)? == 0 {
            return Err(io::Error::other("node ended; what it said is above"));
        }
        Ok(serde_json::from_str(&answer)?)
    }

    /// Runs one pair.
    ///
    /// # Errors
    /// The process ended.
    pub fn check_one(&mut self, pair: &Pair) -> io::Result<Verdict> {
        let verdict = self.check(std::slice::from_ref(pair))?.pop();
        verdict.ok_or_else(|| io::Error::other("no verdict"))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // It ends when its input does.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
