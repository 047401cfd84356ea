//! Metrics in the text format of Prometheus.

use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::task::Task;

/// The labels of the number of requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    /// The name of the task; `other` for the other resources.
    task: &'static str,
    status: u16,
}

/// The metrics of a service.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    seconds: Histogram,
    running: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("tosca_parse");
        let (requests, running) = (Family::default(), Gauge::default());
        let seconds = Histogram::new(exponential_buckets(0.0001, 4.0, 10));
        registry.register("requests", "The answered requests", requests.clone());
        registry.register("running", "The requests that have begun and are not answered yet", running.clone());
        let description = "The time from the head of a request to its answer";
        registry.register_with_unit("duration", description, Unit::Seconds, seconds.clone());
        Self { registry, requests, seconds, running }
    }
}

impl Metrics {
    /// Counts a request until the result is dropped.
    pub(crate) fn begin(&self) -> impl Drop + use<> {
        self.running.inc();
        Running(self.running.clone())
    }

    /// Counts an answered request.
    pub(crate) fn count(&self, task: Option<Task>, status: u16, time: Duration) {
        let task = task.map_or("other", Task::name);
        self.requests.get_or_create(&Request { task, status }).inc();
        self.seconds.observe(time.as_secs_f64());
    }

    /// Returns the metrics as an answer.
    pub(crate) fn text(&self) -> Response {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = encode(&mut text, &self.registry);
        ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
    }
}

struct Running(Gauge);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.dec();
    }
}
