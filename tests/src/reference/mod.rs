//! An executable reading of the design's MODEL.md: slow and obvious, and none of the compiler's code but its data types.
//! It says what a policy's nodes, edges and chooses do under given facts, and which laws a run or a fact vector breaks,
//! by trying all of them.

pub mod bounds;
pub mod claims;
pub mod facts;
pub mod gates;
pub mod going;
pub mod local;
pub mod material;
pub mod monitor;
pub mod profile;
pub mod returns;
pub mod roads;
pub mod search;
