//! The addon: hands requests from JavaScript to the driver, on a thread of its own. No logic.

use std::sync::{Arc, Mutex, PoisonError};

use headstart_driver::{Phase, Progress};
use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;

#[global_allocator]
static ALLOCATOR: mimalloc_safe::MiMalloc = mimalloc_safe::MiMalloc;

/// The progress of the run under way, for [`progress`] and [`cancel`].
static CURRENT: Mutex<Option<Arc<Progress>>> = Mutex::new(None);

fn current() -> Option<Arc<Progress>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A run, to be carried out off the main thread.
pub struct Run {
    request: String,
    progress: Arc<Progress>,
}

impl Task for Run {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        Ok(headstart_driver::run(&self.request, &self.progress))
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> napi::Result<Self::JsValue> {
        Ok(output)
    }
}

/// Carries out a request given as JSON; resolves to the response as JSON.
#[napi(ts_return_type = "Promise<string>")]
#[must_use]
pub fn run(request: String) -> AsyncTask<Run> {
    let progress = Arc::new(Progress::default());
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&progress));
    AsyncTask::new(Run { request, progress })
}

/// What became of a text.
#[napi(object, object_from_js = false, use_nullable = true)]
pub struct Answer {
    /// The new text; nothing where nothing changed.
    pub code: Option<String>,
    /// Its source map as JSON, where one was asked for.
    pub map: Option<String>,
    /// What became of its functions, as JSON.
    pub report: String,
}

/// Optimises one text, on the calling thread: module loaders may not wait. The request is JSON.
#[napi]
#[must_use]
pub fn optimize(request: String, code: String) -> Answer {
    let headstart_driver::Answer { code, map, report } =
        headstart_driver::optimize_text(&request, &code);
    Answer { code, map, report }
}

/// An optimisation, to be carried out off the main thread.
pub struct Optimization {
    request: String,
    code: String,
}

impl Task for Optimization {
    type Output = Answer;
    type JsValue = Answer;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        Ok(optimize(std::mem::take(&mut self.request), std::mem::take(&mut self.code)))
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> napi::Result<Self::JsValue> {
        Ok(output)
    }
}

/// Optimises one text off the main thread: bundlers can wait. The request is JSON.
#[napi(ts_return_type = "Promise<Answer>")]
#[must_use]
pub fn optimize_async(request: String, code: String) -> AsyncTask<Optimization> {
    AsyncTask::new(Optimization { request, code })
}

/// Whether a file may have something in it that `optimize` does anything about.
#[napi]
#[must_use]
pub fn may_be_optimizable(file: String) -> bool {
    headstart_driver::may_be_optimizable(std::path::Path::new(&file))
}

/// How far the run under way has come, as JSON: phase, steps done, steps in all.
#[napi]
#[must_use]
pub fn progress() -> String {
    let (phase, done, total) = current().map_or((Phase::Finding, 0, 0), |it| it.read());
    let phase = match phase {
        Phase::Finding => "reading",
        Phase::Parsing => "parsing",
        Phase::Analysing => "analysing",
        Phase::Writing => "writing",
    };
    format!(r#"{{"phase":"{phase}","done":{done},"total":{total}}}"#)
}

/// Asks the run under way to stop at its next step.
#[napi]
pub fn cancel() {
    if let Some(progress) = current() {
        progress.cancel();
    }
}

/// Ends the process at once, with an exit code. `process.exit` would wait for the threads that are at
/// work, which may take as long as an analysis does.
#[napi]
#[cfg(unix)]
pub fn exit_now(code: i32) {
    #[expect(unsafe_code, reason = "`_exit` asks for nothing, and nothing runs after it")]
    unsafe {
        libc::_exit(code)
    }
}

/// Ends the process at once, with an exit code: on this system that ends its threads.
#[napi]
#[cfg(not(unix))]
pub fn exit_now(code: i32) {
    std::process::exit(code)
}

/// The version of the addon.
#[napi]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
