//! A game from an explicit tree with the mover written at every node.
