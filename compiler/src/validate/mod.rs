//! Translation validation: the finished bytes are read back and proved equal to the model, for every fact assignment and
//! outcome. Shares nothing with the writer but the format's constants, and nothing with the runtime's reader.

mod check;
mod choose;
mod reader;
mod view;

pub use check::check;
pub use view::{ChooseView, DigitView, OrderView, Source, View, view};
