//! A Brownian motion with drift between two absorbing barriers: where and when it leaves.
//!
//! The law of the exit has two classical series (D. R. Cox and H. D. Miller, "The Theory of
//! Stochastic Processes", section 5.7): one by reflection at the barriers, which needs few terms
//! for short times, and one by eigenfunctions of the strip, for long ones. Either is exact. The
//! drift enters both by the change of measure exp(d (x - x0) - d^2 t / 2). The factors of that
//! change can be large while what they multiply is small, so exponents are added before they are
//! raised.

use std::f64::consts::PI;

use super::normal;

/// Times beyond this share of the squared width take the eigenfunctions: there, either series
/// needs less than ten terms.
const LONG: f64 = 0.2;

/// Reflections on each side: the next one changes nothing at times up to twice [`LONG`].
const REFLECTIONS: i32 = 5;

/// An eigenfunction that has decayed by this exponent, and all after it, are left out.
const DECAYED: f64 = 45.0;

/// The strip between two barriers, `lower < upper`; the motion has variance 1 a unit of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Strip {
    pub(super) lower: f64,
    pub(super) upper: f64,
}

/// A question about a motion that starts inside the strip.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Question {
    /// Where it starts, from the lower barrier.
    start: f64,
    /// Width of the strip.
    width: f64,
    /// Drift a unit of time.
    drift: f64,
    /// How long it runs.
    time: f64,
    /// A place in the strip, from the lower barrier.
    place: f64,
}

impl Strip {
    /// What lies in both; empty, with `lower >= upper`, when nothing does.
    pub(super) fn intersection(self, other: Strip) -> Strip {
        Strip {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }

    /// Probability that the motion from `start` leaves through the lower barrier before `time`,
    /// or is still inside then and at most at `value`. At the barriers this is the probability of
    /// a lower exit by then, and one minus that of an upper exit.
    pub(super) fn below(self, start: f64, drift: f64, time: f64, value: f64) -> f64 {
        let question = Question {
            start: start - self.lower,
            width: self.upper - self.lower,
            drift,
            time,
            place: value.clamp(self.lower, self.upper) - self.lower,
        };
        let probability = if time <= LONG * question.width * question.width {
            question.by_reflection()
        } else {
            question.by_eigenfunctions()
        };
        // The last digits of a sum of signed terms.
        probability.clamp(0.0, 1.0)
    }
}

impl Question {
    /// The series for short times.
    fn by_reflection(&self) -> f64 {
        let Self { start, width, .. } = *self;
        let mut sum = 0.0;
        for number in -REFLECTIONS..=REFLECTIONS {
            let shift = 2.0 * f64::from(number) * width;
            // Inside: a source at every image of the start, negative at every odd one.
            sum += self.mass_of_image(start + shift) - self.mass_of_image(shift - start);
            // Outside: the first passage to the lower barrier from every image.
            sum += self.first_passage(start + shift);
        }
        sum
    }

    /// Mass between the lower barrier and the place that comes from an image of the start.
    fn mass_of_image(&self, image: f64) -> f64 {
        let deviation = self.time.sqrt();
        let z = |place: f64| (place - image - self.drift * self.time) / deviation;
        let exponent = self.drift * (image - self.start);
        let (low, high) = (z(0.0), z(self.place));
        let part = |z: f64| libm::exp(exponent + normal::ln_cdf(z));
        // The tail that both ends are in keeps the digits of their difference.
        if low > 0.0 {
            part(-low) - part(-high)
        } else {
            part(high) - part(low)
        }
    }

    /// Mass that has passed the lower barrier from an image of the start.
    fn first_passage(&self, image: f64) -> f64 {
        let deviation = self.time.sqrt();
        let (distance, speed) = (image.abs(), self.drift.abs());
        let part = |way: f64| {
            let z = (way * speed * self.time - distance) / deviation;
            let exponent = -self.drift * self.start - way * speed * distance;
            libm::exp(exponent + normal::ln_cdf(z))
        };
        image.signum() * (part(1.0) + part(-1.0))
    }

    /// The series for long times.
    fn by_eigenfunctions(&self) -> f64 {
        let Self {
            start,
            width,
            drift,
            time,
            place,
        } = *self;
        let mut sum = self.lower_exit_at_last();
        for number in 1.. {
            let frequency = f64::from(number) * PI / width;
            let rate = 0.5 * frequency * frequency;
            if rate * time > DECAYED {
                break;
            }
            let amplitude = 2.0 / width * libm::sin(frequency * start);
            let both = drift * drift + frequency * frequency;
            let exponent = drift * (place - start) - (0.5 * drift * drift + rate) * time;
            let phase = frequency * place;
            // Those still inside below the place, less those still to leave below.
            let wave = drift * libm::sin(phase) - frequency * libm::cos(phase);
            sum += amplitude * libm::exp(exponent) * wave / both;
        }
        sum
    }

    /// Probability that the motion leaves through the lower barrier sooner or later.
    fn lower_exit_at_last(&self) -> f64 {
        let Self {
            start,
            width,
            drift,
            ..
        } = *self;
        let towards = |drift: f64, distance: f64| {
            let (beyond, all) = (-2.0 * drift * (width - distance), -2.0 * drift * width);
            libm::exp(-2.0 * drift * distance) * libm::expm1(beyond) / libm::expm1(all)
        };
        if drift > 0.0 {
            towards(drift, start)
        } else if drift < 0.0 {
            1.0 - towards(-drift, width - start)
        } else {
            1.0 - start / width
        }
    }
}

#[cfg(test)]
#[path = "brownian_tests.rs"]
mod tests;
