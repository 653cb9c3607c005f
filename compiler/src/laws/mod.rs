//! The laws.

pub mod catalogue;
pub(crate) mod changes;
pub(crate) mod claim;
pub(crate) mod gate;
pub(crate) mod ingest;
pub(crate) mod local;
pub(crate) mod outcome;
pub(crate) mod record;
pub(crate) mod returns;
pub(crate) mod track;
