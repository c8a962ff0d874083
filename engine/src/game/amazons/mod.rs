//! Game of the Amazons: rules.
//!
//! A turn is two moves of the same player, an amazon's and its arrow's ([`HalfMove`]): first one of
//! the player's amazons goes like a chess queen over empty squares, then it shoots an arrow that
//! flies like a queen from where it stands and stays for ever. The square that it left is empty
//! again, so every amazon that has moved can shoot. Nothing is captured and nobody may pass: who
//! cannot move has lost.
//!
//! Other programs call First white, or black; First's amazons begin at the bottom, on rank 1.
//! [`Board`] is a size, [`Amazons`] a position, [`reach`] what a queen reaches, [`validate`] a
//! second opinion, square by square.

mod board;
mod drawing;
mod fen;
mod keys;
mod notation;
mod perft;
mod position;
pub mod reach;
mod svg;
pub mod validate;

pub use board::{Board, Each, STRIDE, Square, each};
pub use perft::perft_turns;
pub use position::{Amazons, HalfMove};
