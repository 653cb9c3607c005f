//! A server that decides per request from a road table, and takes a new one while it runs.
//!
//! `policy` is a table with its names, `live` the one in force and how another takes its place, `kept` the greatest epoch so far,
//! `metrics` what is counted, `told` what requests say, `load` a client that measures.

mod kept;
pub mod live;
pub mod load;
pub mod metrics;
pub mod policy;
pub mod told;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use live::{InForce, Live};
use policy::{Decision, obligations};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio::net::TcpListener;
use told::Told;

/// Answers requests and follows the table, until the listener fails or `stop` comes.
///
/// # Errors
/// The listener failed.
pub async fn serve(
    listener: TcpListener,
    live: Arc<Live>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let follower = tokio::spawn({
        let live = live.clone();
        async move { live.follow().await }
    });
    let app = Router::new()
        .route("/decide", post(decide))
        .route("/policy", get(in_force))
        .route("/metrics", get(metrics))
        .with_state(live);
    let served = axum::serve(listener, app).with_graceful_shutdown(stop).await;
    follower.abort();
    served
}

async fn decide(State(live): State<Arc<Live>>, body: Bytes) -> Response {
    // One policy for the whole request, whatever is swapped meanwhile.
    let now = live.now();
    match decided(&now, &body) {
        Ok(decision) => {
            now.counters.count(&decision);
            Json(answer(&now, &decision)).into_response()
        }
        Err((status, why)) => {
            live.metrics.misfit();
            (status, Json(why)).into_response()
        }
    }
}

fn decided(now: &InForce, body: &[u8]) -> Result<Decision, (StatusCode, Value)> {
    let told: Told = serde_json::from_slice(body)
        .map_err(|e| (StatusCode::BAD_REQUEST, json!({ "error": format!("not JSON that tells facts: {e}") })))?;
    let Told::Object(members) = told else {
        return Err((StatusCode::BAD_REQUEST, json!({ "error": "an object of facts is wanted" })));
    };
    let mut facts = now
        .policy
        .facts(&members)
        .map_err(|m| (StatusCode::UNPROCESSABLE_ENTITY, json!({ "error": m.why, "fact": m.fact })))?;
    now.policy.decide(&mut facts).map_err(|e| (StatusCode::INTERNAL_SERVER_ERROR, json!({ "error": e.to_string() })))
}

fn answer(now: &InForce, decision: &Decision) -> Value {
    let p = &now.policy;
    let road = |r: usize| p.roads.get(r).map_or("", String::as_str);
    let closed: Map<String, Value> =
        decision.closed.iter().map(|(r, why)| (road(*r).to_owned(), json!(p.reason(*r, *why)))).collect();
    json!({
        "road": decision.road.map(road),
        "place": p.place(decision.place),
        "closed": closed,
        "obligations": obligations(decision.obligations),
        "generation": now.generation,
    })
}

async fn in_force(State(live): State<Arc<Live>>) -> Json<Value> {
    let now = live.now();
    Json(json!({
        "policy": now.policy.name,
        "digest": now.policy.digest(),
        "epoch": now.policy.epoch,
        "generation": now.generation,
        "last_rejected": live.last_rejected(),
    }))
}

async fn metrics(State(live): State<Arc<Live>>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], live.metrics.text()).into_response()
}
