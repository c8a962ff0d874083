//! A run as the program sees it: created, opened, driven, read and shown. The command line and the
//! service both stand on this, so that they say the same of a run.

pub(crate) mod again;
pub(crate) mod evidence;
pub(crate) mod exit;
pub(crate) mod export;
pub(crate) mod game_view;
pub(crate) mod legs;
pub(crate) mod logging;
pub(crate) mod merge;
pub(crate) mod outlook;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod session;
pub(crate) mod show;
pub(crate) mod tickets;
pub(crate) mod words;
