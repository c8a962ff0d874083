//! What searches may know of the Amazons.

use super::contest::{self, Contest};
use super::verdict::sure_winner;
use super::{Features, Formula, Mapping, effort, ordering};
use crate::eval::{
    Correction, Evaluation, EvaluationForm, Knowledge, ListedMoves, MoveClass, MoveList,
    RemainingBounds, RolloutPolicy, WORK_WEIGHTS, Work,
};
use crate::game::Position;
use crate::game::amazons::reach::widened;
use crate::game::amazons::{Amazons, HalfMove};
use crate::stream::{Purpose, Stream, StreamKey};

/// A half-move that ends beside an amazon of the opponent's: it takes squares from it.
pub const BLOCKS: MoveClass = MoveClass(0);

/// Any other half-move.
pub const OTHER: MoveClass = MoveClass(1);

/// What a game won is worth in points, that is squares: more than any board has.
const WIN_POINTS: f64 = 1_000.0;

/// Nodes of a count of turns within a search: a region that can be filled takes about one a
/// square, one that cannot may take any number.
const COUNT_NODES: u32 = 500;

/// What is known of the Amazons beyond the rules. Has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct AmazonsKnowledge;

/// The formula that an evaluation's constants stand for: X, Y, kappa and the weight of S.
pub fn formula_of(evaluation: &Evaluation) -> Formula {
    let [x, y, kappa, defects] = evaluation.weights;
    let EvaluationForm(form) = evaluation.form;
    let (_, mapping) = Mapping::WORDS[usize::from(form)];
    Formula {
        x,
        y,
        kappa,
        defects,
        mapping,
    }
}

impl AmazonsKnowledge {
    /// What random games say of a position, for the side to move (002_92423a3c9d9191f2, section 2:
    /// their share of wins is combined with the value, in a way and by a weight not stated).
    fn correction(&self, position: &Amazons, correction: Correction, work: &mut Work) -> f64 {
        let mut stream = stream_of(position);
        let sign = position.to_move().sign();
        let mut ahead = 0;
        for _ in 0..correction.rollouts {
            ahead += sign * self.rollout(position, RolloutPolicy::Uniform, &mut stream, work);
        }
        correction.points * f64::from(ahead) / f64::from(correction.rollouts)
    }

    /// The squares beside amazons of the side that does not move.
    fn blocking(position: &Amazons) -> u128 {
        widened(position.amazons(position.to_move().other()))
    }
}

/// A stream of a position alone: its key is 64 bits, and a seed has 53.
fn stream_of(position: &Amazons) -> Stream {
    let key = position.key();
    let named = StreamKey {
        lane: (key >> 56) as u8,
        ..StreamKey::new(key & ((1 << 53) - 1), Purpose::Evaluation)
    };
    named.stream()
}

fn class_of(blocking: u128, mv: HalfMove) -> MoveClass {
    let (HalfMove::Walk { to: end, .. } | HalfMove::Shot { at: end, .. }) = mv;
    if blocking & end.mask() == 0 {
        OTHER
    } else {
        BLOCKS
    }
}

impl Knowledge<Amazons> for AmazonsKnowledge {
    type Moves = ListedMoves<HalfMove>;

    fn moves(&self, position: &Amazons, list: MoveList) -> ListedMoves<HalfMove> {
        let mut moves = Vec::new();
        self.classed_moves(position, list, &mut moves);
        ListedMoves(moves)
    }

    fn class(&self, position: &Amazons, mv: HalfMove) -> MoveClass {
        class_of(AmazonsKnowledge::blocking(position), mv)
    }

    fn classed_moves(
        &self,
        position: &Amazons,
        _list: MoveList,
        out: &mut Vec<(HalfMove, MoveClass)>,
    ) {
        let blocking = AmazonsKnowledge::blocking(position);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        out.extend(moves.into_iter().map(|mv| (mv, class_of(blocking, mv))));
    }

    fn sufficient_moves(&self, position: &Amazons, out: &mut Vec<HalfMove>) {
        position.legal_moves(out);
    }

    /// A game is won or lost: the moves that promise most first, or a proof takes hours.
    fn root_moves(&self, position: &Amazons, out: &mut Vec<HalfMove>) {
        ordering::append_ordered(position, out);
    }

    fn moves_above(&self, position: &Amazons, _alpha: i16, out: &mut Vec<HalfMove>) -> i16 {
        ordering::append_ordered(position, out);
        i16::MIN
    }

    /// By every policy uniformly random half-moves to the end.
    fn rollout(
        &self,
        position: &Amazons,
        _policy: RolloutPolicy,
        stream: &mut Stream,
        work: &mut Work,
    ) -> i32 {
        let mut position = *position;
        let mut moves = Vec::new();
        while position.outcome().is_none() {
            moves.clear();
            position.legal_moves(&mut moves);
            position.play(moves[stream.below(moves.len() as u32) as usize]);
            work.uniform_plies += 1;
        }
        position.margin()
    }

    #[inline]
    fn evaluate(&self, position: &Amazons, evaluation: &Evaluation, work: &mut Work) -> f64 {
        work.evaluations += 1;
        let value = formula_of(evaluation).value(position, position.to_move())
            + evaluation.error_of(position.key());
        match evaluation.correction.rollouts {
            0 => value,
            _ => value + self.correction(position, evaluation.correction, work),
        }
    }

    /// Until the arrow is shot: what that is worth the formula does not see.
    #[inline]
    fn is_within_turn(&self, position: &Amazons) -> bool {
        position.shooter().is_some()
    }

    /// Who cannot move has lost, and later is better for the loser.
    fn final_points(&self, position: &Amazons) -> f64 {
        f64::from(position.turns()) - WIN_POINTS
    }

    /// w of the evaluation: squares that are still contested.
    fn distance_to_end(&self, position: &Amazons) -> f64 {
        Features::of(position).w
    }

    #[inline]
    fn remaining_key(&self, position: &Amazons) -> u64 {
        position.key()
    }

    /// Bit 0: the mirror that exchanges the files.
    fn symmetries_after(&self, root: &Amazons) -> u8 {
        u8::from(contest::is_nearly_symmetric(root))
    }

    /// Regions of one side count as what they are worth in turns.
    fn remaining_key_among_images(&self, position: &Amazons, symmetries: u8) -> u64 {
        contest::key(position, COUNT_NODES, symmetries != 0)
    }

    /// Somebody wins by the one point that there is.
    fn remaining_bounds(&self, position: &Amazons) -> RemainingBounds {
        let (lower, upper) = match position.outcome() {
            Some(_) => (0, 0),
            None => (-1, 1),
        };
        RemainingBounds {
            lower,
            upper,
            step: 2,
        }
    }

    fn proven_remaining(&self, position: &Amazons) -> Option<i16> {
        if position.outcome().is_some() {
            return Some(0);
        }
        let winner = sure_winner(position, COUNT_NODES)?;
        Some(if winner == position.to_move() { 1 } else { -1 })
    }

    /// By the contested squares alone: measured means of random games.
    fn solving_units(&self, position: &Amazons) -> u64 {
        let contested = Contest::of(position, COUNT_NODES).empty.count_ones();
        effort::edges_searched(contested).saturating_mul(WORK_WEIGHTS.alpha_beta_edge)
    }

    /// Every turn fills a square, in two half-moves.
    #[inline]
    fn moves_left(&self, position: &Amazons) -> u16 {
        let squares = position.empty().count_ones() as u16;
        2 * squares - u16::from(position.shooter().is_some())
    }
}
