//! The Universal Scalability Law (N. J. Gunther, "A Simple Capacity Model of Massively Parallel Transaction Systems",
//! CMG 1993; *Guerrilla Capacity Planning*, Springer 2007, chapters 4 to 6):
//!
//! X(N) = λN / (1 + σ(N − 1) + κN(N − 1))
//!
//! with λ the rate of one, σ the share that has to wait for one another (contention), κ the cost of a pair having to agree
//! (coherency).
//!
//! N/X is linear in (1/λ, σ/λ, κ/λ), so the fit is a linear least-squares problem in those, of the relative residuals
//! (N/X(N) of the law ÷ N/X measured) − 1: small points count as much as large ones. σ and κ are kept at 0 or above: each
//! of the four ways of holding some of them at 0 is solved, and the best that keeps the bounds is taken (C. L. Lawson,
//! R. J. Hanson, *Solving Least Squares Problems*, 1974, chapter 23, for so few unknowns by enumeration). There is no
//! iteration and no starting value, so that the same rates always give the same law.

use serde::Serialize;

/// Different numbers of tasks or clients without which nothing is fitted: one more than there are parameters.
pub const LEAST_NUMBERS: usize = 4;
/// A peak beyond so many times the largest measured number is only a guess.
const EXTRAPOLATED: f64 = 2.0;
/// Columns whose angle to the others is below this tell nothing of their own.
const DEPENDENT: f64 = 1e-12;

/// The law with its parameters, and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Usl {
    /// λ, operations per second of one task or client; above 0.
    pub lambda_per_s: f64,
    /// σ, contention, no unit; 0 or above.
    pub sigma: f64,
    /// κ, coherency, no unit; 0 or above.
    pub kappa: f64,
    /// Points that were fitted.
    pub points: usize,
    /// The residual that is largest by amount: measured rate ÷ rate of the law − 1.
    pub largest_residual: f64,
    /// Root of the mean square of the residuals.
    pub rms_residual: f64,
    /// The largest number that was measured.
    pub largest_n: f64,
}

/// Where the law has its largest rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Peak {
    /// Nowhere: the rate grows as long as there are more, up to a limit if there is contention.
    None {
        /// λ/σ, operations per second.
        limit_per_s: Option<f64>,
    },
    /// At one: each further one lowers the rate.
    One,
    /// At N* = √((1 − σ)/κ).
    At {
        /// N*, 1 or above.
        n: f64,
        /// X(N*), operations per second.
        rate_per_s: f64,
        /// Whether that is beyond twice the largest measured number.
        extrapolated: bool,
    },
}

/// Whether a point can be fitted.
pub fn is_usable(n: f64, rate_per_s: f64) -> bool {
    let weight = rate_per_s / n;
    n >= 1.0 && weight > 0.0 && (n * n * weight).is_finite() && (weight * weight).is_normal()
}

impl Usl {
    /// The law of these points, each a number of tasks or clients and operations per second; those that make no sense
    /// (see [`is_usable`]) are left out. None where fewer than [`LEAST_NUMBERS`] different numbers are left.
    pub fn fit(points: &[(f64, f64)]) -> Option<Usl> {
        let points: Vec<(f64, f64)> = points.iter().copied().filter(|&(n, x)| is_usable(n, x)).collect();
        let mut numbers: Vec<f64> = points.iter().map(|&(n, _)| n).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        if numbers.len() < LEAST_NUMBERS {
            return None;
        }
        let terms: [fn(f64) -> f64; 3] = [|_| 1.0, |n| n - 1.0, |n| n * (n - 1.0)];
        let columns = terms.map(|term| points.iter().map(|&(n, x)| term(n) * x / n).collect::<Vec<f64>>());
        let mut best: Option<(f64, Usl)> = None;
        for free in [&[0, 1, 2][..], &[0, 1], &[0, 2], &[0]] {
            let chosen: Vec<&[f64]> = free.iter().map(|&i| columns[i].as_slice()).collect();
            let Some(solved) = least_squares(&chosen) else { continue };
            let mut parameters = [0.0; 3];
            free.iter().zip(solved).for_each(|(&i, value)| parameters[i] = value);
            let [a, b, c] = parameters;
            let (lambda_per_s, sigma, kappa) = (1.0 / a, b / a, c / a);
            let law = Usl { lambda_per_s, sigma, kappa, ..Usl::nothing(&points, &numbers) };
            if !(a > 0.0 && b >= 0.0 && c >= 0.0 && law.is_finite()) {
                continue;
            }
            let law = law.with_residuals(&points);
            if best.is_none_or(|(least, _)| law.rms_residual < least) {
                best = Some((law.rms_residual, law));
            }
        }
        best.map(|(_, law)| law).filter(Usl::is_finite)
    }

    /// The rate of `n` tasks or clients, operations per second.
    pub fn rate_per_s(&self, n: f64) -> f64 {
        self.lambda_per_s * n / (1.0 + self.sigma * (n - 1.0) + self.kappa * n * (n - 1.0))
    }

    /// Where it has its largest rate.
    pub fn peak(&self) -> Peak {
        if self.sigma >= 1.0 {
            return Peak::One;
        }
        let n = ((1.0 - self.sigma) / self.kappa).sqrt();
        if self.kappa == 0.0 || !n.is_finite() {
            let limit_per_s = Some(self.lambda_per_s / self.sigma).filter(|limit| limit.is_finite());
            return Peak::None { limit_per_s };
        }
        if n <= 1.0 {
            return Peak::One;
        }
        Peak::At { n, rate_per_s: self.rate_per_s(n), extrapolated: n > EXTRAPOLATED * self.largest_n }
    }

    fn nothing(points: &[(f64, f64)], numbers: &[f64]) -> Usl {
        Usl {
            lambda_per_s: 0.0,
            sigma: 0.0,
            kappa: 0.0,
            points: points.len(),
            largest_residual: 0.0,
            rms_residual: 0.0,
            largest_n: numbers.last().copied().unwrap_or_default(),
        }
    }

    #[allow(clippy::cast_precision_loss)] // numbers of points are small
    fn with_residuals(self, points: &[(f64, f64)]) -> Usl {
        let residuals: Vec<f64> = points.iter().map(|&(n, x)| x / self.rate_per_s(n) - 1.0).collect();
        let largest = residuals.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let square: f64 = residuals.iter().map(|r| r * r).sum();
        Usl {
            largest_residual: largest.unwrap_or_default(),
            rms_residual: (square / residuals.len() as f64).sqrt(),
            ..self
        }
    }

    fn is_finite(&self) -> bool {
        [self.lambda_per_s, self.sigma, self.kappa, self.rms_residual].iter().all(|value| value.is_finite())
    }
}

/// The coefficients that bring the sum of these columns closest to 1 in each row: modified Gram–Schmidt on columns of
/// length 1 (Å. Björck, "Solving linear least squares problems by Gram–Schmidt orthogonalization", BIT 7 (1967) 1–21).
/// None where a column depends on those before it.
fn least_squares(columns: &[&[f64]]) -> Option<Vec<f64>> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let length = |a: &[f64]| dot(a, a).sqrt();
    let mut target = vec![1.0; columns.first()?.len()];
    let (mut basis, mut upper): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    let (mut lengths, mut right) = (Vec::new(), Vec::new());
    for column in columns {
        let own = length(column);
        let mut rest: Vec<f64> = column.iter().map(|value| value / own).collect();
        let mut shares = Vec::new();
        for q in &basis {
            let share = dot(q, &rest);
            rest.iter_mut().zip(q).for_each(|(value, q)| *value -= share * q);
            shares.push(share);
        }
        let left = length(&rest);
        if !own.is_finite() || !left.is_finite() || left < DEPENDENT {
            return None;
        }
        shares.push(left);
        let q: Vec<f64> = rest.iter().map(|value| value / left).collect();
        let share = dot(&q, &target);
        target.iter_mut().zip(&q).for_each(|(value, q)| *value -= share * q);
        basis.push(q);
        upper.push(shares);
        lengths.push(own);
        right.push(share);
    }
    let mut solved = vec![0.0; columns.len()];
    for i in (0..columns.len()).rev() {
        let known: f64 = (i + 1..columns.len()).map(|j| upper[j][i] * solved[j]).sum();
        solved[i] = (right[i] - known) / upper[i][i];
    }
    Some(solved.iter().zip(&lengths).map(|(value, length)| value / length).collect())
}

#[cfg(test)]
mod tests;
