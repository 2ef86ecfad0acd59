//! The addon of `headstart trace`: hands files to the analyser, off the main thread. No logic. It is one of its own,
//! since those who only check a program need nothing of it.

use std::path::{Path, PathBuf};

use headstart_trace::{ExportFormat, OpenError, TraceFile};
use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;

/// An analysis, to be carried out off the main thread.
pub struct Analysis {
    paths: Vec<PathBuf>,
}

impl Task for Analysis {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        let open = |path: &PathBuf| TraceFile::open(path).map_err(|it| failure(path, &it));
        let traces: Vec<TraceFile> = self.paths.iter().map(open).collect::<Result<_, _>>()?;
        let report = headstart_trace::analyse(&traces)
            .map_err(|it| napi::Error::from_reason(it.to_string()))?;
        serde_json::to_string(&report).map_err(|it| napi::Error::from_reason(it.to_string()))
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> napi::Result<Self::JsValue> {
        Ok(output)
    }
}

fn failure(path: &Path, error: &OpenError) -> napi::Error {
    napi::Error::from_reason(format!("{}: {error}", path.display()))
}

/// Measures the traces at `paths` together; resolves to the report as JSON, rejects with a sentence that says why not.
#[napi(ts_return_type = "Promise<string>")]
#[must_use]
pub fn analyse(paths: Vec<String>) -> AsyncTask<Analysis> {
    let paths = paths.into_iter().map(PathBuf::from).collect();
    AsyncTask::new(Analysis { paths })
}

/// An export, to be carried out off the main thread.
pub struct Export {
    path: PathBuf,
    out: PathBuf,
    format: ExportFormat,
}

impl Task for Export {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> napi::Result<Self::Output> {
        let trace = TraceFile::open(&self.path).map_err(|it| failure(&self.path, &it))?;
        headstart_trace::export(&trace, self.format, &self.out)
            .map_err(|it| napi::Error::from_reason(it.to_string()))
    }

    fn resolve(&mut self, _env: Env, (): Self::Output) -> napi::Result<Self::JsValue> {
        Ok(())
    }
}

/// Writes the trace at `path` to `out`, in Perfetto's own format or as JSON of Chrome's.
#[napi(ts_return_type = "Promise<void>")]
#[must_use]
pub fn export_trace(path: String, out: String, perfetto: bool) -> AsyncTask<Export> {
    let format = if perfetto { ExportFormat::Perfetto } else { ExportFormat::Chrome };
    AsyncTask::new(Export { path: path.into(), out: out.into(), format })
}
