//! Flows, children, lanes and chooses to nodes and edges.

pub(crate) mod body;
pub(crate) mod build;
mod choose;
pub(crate) mod kinds;
mod route;

pub(crate) use build::Flows;
