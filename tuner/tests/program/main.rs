//! The program `tuner` as its users meet it: the real program, in folders of its own.

mod amazons;
mod bad_input;
mod bench;
mod choices;
mod contest;
mod damage;
mod determinism;
mod experiment_files;
mod experiments;
mod exports;
mod fsck;
mod ladder;
mod messages;
mod messages_ladder;
mod names;
mod path;
mod replay;
mod report;
mod service_reads;
mod stats;
mod status;
mod support;
