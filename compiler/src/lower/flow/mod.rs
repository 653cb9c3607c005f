//! Flows, children, lanes and chooses to nodes and edges.

pub(crate) mod body;
pub(crate) mod build;
mod choose;
mod copies;
mod edges;
pub(crate) mod kinds;
mod nodes;
mod route;

pub(crate) use build::Flows;
