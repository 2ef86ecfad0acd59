//! From a request to a response, both as JSON.

use headstart_frontend::{Progress, thread_pool};
use serde::Serialize;
use serde_json::Value;

use crate::request::Request;
use crate::{ask, callgraph, check, effects, explain, fix, models, rules, whole};

/// What the command line prints and how it ends.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Response {
    /// 0 clean, 1 findings denied, 2 usage or input error.
    pub(crate) exit_code: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) report: Value,
}

impl Response {
    /// Nothing could be done.
    pub(crate) fn failed(message: &str) -> Self {
        Self { exit_code: 2, stderr: format!("error: {message}\n"), ..Self::default() }
    }
}

/// Carries out a request given as JSON; returns the response as JSON. User errors are part of the
/// response. `progress` may be read and cancelled from other threads.
#[must_use]
pub fn run(request: &str, progress: &Progress) -> String {
    let response = match serde_json::from_str::<Request>(request) {
        Ok(request) => match thread_pool(request.common().threads) {
            Ok(pool) => pool.install(|| dispatch(&request, progress)),
            Err(error) => Response::failed(&error.to_string()),
        },
        Err(error) => Response::failed(&format!("the request cannot be read: {error}")),
    };
    serde_json::to_string(&response).unwrap_or_else(|_| {
        r#"{"exitCode":2,"stdout":"","stderr":"error: the report cannot be written as JSON\n","report":null}"#
            .to_owned()
    })
}

fn dispatch(request: &Request, progress: &Progress) -> Response {
    match request {
        Request::Check(request) => check::run(request, progress),
        Request::Fix(request) => fix::run(request, progress),
        Request::Explain(request) => explain::run(request, progress),
        Request::CallGraph(request) => callgraph::run(request, progress),
        Request::Effects(request) => effects::run(request, progress),
        Request::Ask(request) => ask::run(request, progress),
        Request::Models(request) => models::run(request),
        Request::Rules(request) => rules::run(request),
        Request::Whole(request) => whole::run(request, progress),
    }
}
