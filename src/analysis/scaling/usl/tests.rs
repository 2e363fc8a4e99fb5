use super::*;
use proptest::prelude::*;

const NUMBERS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

fn law(lambda_per_s: f64, sigma: f64, kappa: f64) -> Usl {
    Usl { lambda_per_s, sigma, kappa, ..Usl::nothing(&[], &[64.0]) }
}

fn points(law: Usl, mut factor: impl FnMut(usize) -> f64) -> Vec<(f64, f64)> {
    NUMBERS.iter().enumerate().map(|(i, &n)| (n, law.rate_per_s(n) * factor(i))).collect()
}

fn close(found: f64, known: f64, within: f64) -> bool {
    (found - known).abs() <= within
}

#[test]
fn known_parameters_are_found_again() {
    for (lambda, sigma, kappa) in
        [(769.9, 0.02, 5e-5), (1e6, 0.0, 0.0), (3.0, 0.5, 0.0), (20.0, 0.0, 1e-3), (1.0, 0.99, 0.01)]
    {
        let fit = Usl::fit(&points(law(lambda, sigma, kappa), |_| 1.0)).unwrap();
        assert!(close(fit.lambda_per_s / lambda, 1.0, 1e-9), "{fit:?}");
        assert!(close(fit.sigma, sigma, 1e-9) && close(fit.kappa, kappa, 1e-10), "{fit:?}");
        assert!(fit.rms_residual < 1e-9 && fit.points == 7, "{fit:?}");
    }
}

#[test]
fn parameters_are_found_through_noise() {
    let mut noise = crate::result::noise::Noise::new(7);
    for _ in 0..50 {
        let fit = Usl::fit(&points(law(1000.0, 0.05, 2e-4), |_| 1.0 + 0.02 * noise.normal())).unwrap();
        assert!(close(fit.lambda_per_s, 1000.0, 100.0), "{fit:?}");
        assert!(close(fit.sigma, 0.05, 0.025) && close(fit.kappa, 2e-4, 2e-4), "{fit:?}");
        assert!(fit.rms_residual < 0.05 && fit.largest_residual.abs() < 0.1, "{fit:?}");
        assert!(fit.largest_residual.abs() >= fit.rms_residual);
    }
}

#[test]
fn nothing_goes_below_zero() {
    // More than proportional: contention would be negative.
    let fit = Usl::fit(&[(1.0, 1.0), (2.0, 2.2), (4.0, 4.8), (8.0, 10.4)]).unwrap();
    assert!(fit.sigma == 0.0 && fit.kappa == 0.0 && fit.lambda_per_s > 1.0, "{fit:?}");
    assert_eq!(fit.peak(), Peak::None { limit_per_s: None });
    // A rate that bends upwards between: coherency would be negative.
    let fit = Usl::fit(&[(1.0, 10.0), (2.0, 11.0), (4.0, 14.0), (8.0, 25.0)]).unwrap();
    assert!(fit.sigma > 0.0 && fit.kappa == 0.0, "{fit:?}");
    assert!(matches!(fit.peak(), Peak::None { limit_per_s: Some(limit) } if limit > 0.0));
}

#[test]
fn peaks_are_where_the_rate_is_largest() {
    let fit = Usl::fit(&points(law(100.0, 0.19, 1e-3), |_| 1.0)).unwrap();
    let Peak::At { n, rate_per_s, extrapolated } = fit.peak() else { panic!("{fit:?}") };
    assert!(close(n, 28.46, 0.01) && !extrapolated, "{n}");
    assert!(rate_per_s > fit.rate_per_s(n * 0.9) && rate_per_s > fit.rate_per_s(n * 1.1));
    let far = Usl::fit(&points(law(100.0, 0.1, 1e-6), |_| 1.0)).unwrap();
    assert!(matches!(far.peak(), Peak::At { n, extrapolated: true, .. } if n > 900.0));
    let falling = Usl::fit(&[(1.0, 700.0), (4.0, 380.0), (16.0, 140.0), (64.0, 37.0)]).unwrap();
    assert_eq!(falling.peak(), Peak::One);
}

#[test]
fn too_few_numbers_give_no_law() {
    assert_eq!(Usl::fit(&[]), None);
    assert_eq!(Usl::fit(&[(1.0, 5.0); 9]), None);
    assert_eq!(Usl::fit(&[(1.0, 5.0), (2.0, 9.0), (4.0, 16.0), (4.0, 17.0)]), None);
    let senseless =
        [(8.0, 0.0), (16.0, f64::INFINITY), (32.0, f64::NAN), (0.0, 4.0), (-1.0, 4.0), (64.0, -3.0)];
    let three = [(1.0, 5.0), (2.0, 9.0), (4.0, 16.0)];
    assert_eq!(Usl::fit(&[&three[..], &senseless].concat()), None);
    assert!(Usl::fit(&[&three[..], &[(8.0, 25.0)], &senseless].concat()).is_some_and(|law| law.points == 4));
}

proptest! {
    #[test]
    fn no_points_panic(points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..12)) {
        let _ = Usl::fit(&points).map(|law| law.peak());
    }

    #[test]
    fn a_law_keeps_its_bounds(rates in prop::collection::vec(1e-3f64..1e9, 7)) {
        let points: Vec<(f64, f64)> = NUMBERS.iter().copied().zip(rates).collect();
        let fit = Usl::fit(&points).unwrap();
        prop_assert!(fit.lambda_per_s > 0.0 && fit.sigma >= 0.0 && fit.kappa >= 0.0);
        prop_assert!(fit.lambda_per_s.is_finite() && fit.rms_residual.is_finite());
        if let Peak::At { n, rate_per_s, .. } = fit.peak() {
            prop_assert!(n >= 1.0 && rate_per_s >= fit.rate_per_s(n + 1.0));
        }
    }

    #[test]
    fn the_unit_of_the_rate_does_not_matter(rates in prop::collection::vec(1.0f64..1e4, 7), unit in 1e-6f64..1e6) {
        let points = |unit: f64| NUMBERS.iter().copied().zip(rates.iter().map(|r| r * unit)).collect::<Vec<_>>();
        let (one, other) = (Usl::fit(&points(1.0)).unwrap(), Usl::fit(&points(unit)).unwrap());
        prop_assert!(close(one.rms_residual, other.rms_residual, 1e-6));
    }
}
