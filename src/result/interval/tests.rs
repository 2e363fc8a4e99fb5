use super::*;
use crate::result::noise::Noise;

const MEAN: f64 = 100.0;
const RUNS: u32 = 1000;

/// The share of simulated runs whose interval holds the true mean.
fn coverage(
    seed: u64,
    run: impl Fn(&mut Noise) -> Vec<f64>,
    interval: fn(&[f64]) -> Option<Interval>,
) -> f64 {
    let mut noise = Noise::new(seed);
    let holds = |i: &Interval| i.low <= MEAN && MEAN <= i.high;
    let held = (0..RUNS).filter(|_| interval(&run(&mut noise)).as_ref().is_some_and(holds)).count();
    held as f64 / f64::from(RUNS)
}

fn assert_holds(what: &str, n: usize, coverage: f64) {
    assert!((0.93..=0.97).contains(&coverage), "{what}, {n} values: {:.1} % hold the mean", 100.0 * coverage);
}

/// A count of 20 a window, scaled to `MEAN`.
fn counts(noise: &mut Noise, n: usize) -> Vec<f64> {
    noise.poissons(n, 20.0).iter().map(|count| count * MEAN / 20.0).collect()
}

#[test]
fn over_iterations_it_holds_the_mean_in_95_of_100_runs() {
    for n in [2, 3, 5, 10, 30] {
        let share = coverage(11, |noise| noise.normals(n, MEAN, 10.0), Interval::of_iterations);
        assert_holds("iterations", n, share);
    }
}

#[test]
fn over_independent_windows_it_holds_the_mean_in_95_of_100_runs() {
    for n in [40, 100, 256, 512] {
        let share = coverage(12, |noise| noise.normals(n, MEAN, 20.0), Interval::of_windows);
        assert_holds("normal windows", n, share);
        assert_holds("counts", n, coverage(13, |noise| counts(noise, n), Interval::of_windows));
    }
}

#[test]
fn over_windows_that_hang_together_it_holds_the_mean_in_95_of_100_runs() {
    for (phi, lengths) in
        [(0.3, &[40, 100, 256, 512][..]), (0.6, &[40, 100, 256, 512]), (0.8, &[100, 256, 512])]
    {
        for n in lengths {
            let share = coverage(14, |noise| noise.autoregressive(*n, MEAN, 20.0, phi), Interval::of_windows);
            assert_holds(&format!("φ = {phi}"), *n, share);
        }
    }
}

/// A moving average is not the model the corrections rest on: the interval may be wider than it need be, not narrower.
#[test]
fn another_kind_of_likeness_does_not_make_it_too_narrow() {
    let smoothed = |noise: &mut Noise| -> Vec<f64> {
        noise.normals(260, MEAN, 20.0).windows(5).map(|five| five.iter().sum::<f64>() / 5.0).collect()
    };
    let share = coverage(15, smoothed, Interval::of_windows);
    assert!((0.95..=0.985).contains(&share), "{share}");
}

#[test]
fn the_simulation_finds_an_interval_that_is_too_narrow_or_too_wide() {
    let alike = |noise: &mut Noise| noise.autoregressive(256, MEAN, 20.0, 0.3);
    assert!(coverage(16, alike, Interval::of_iterations) < 0.90);
    let swinging = |noise: &mut Noise| noise.autoregressive(256, MEAN, 20.0, -0.3);
    assert!(coverage(16, swinging, Interval::of_windows) > 0.97);
}

#[test]
fn the_quantiles_are_those_of_students_table() {
    let half = |values: &[f64]| Interval::of_iterations(values).map(|i| (i.high - i.low) / 2.0).unwrap();
    assert!((half(&[99.0, 101.0]) - 12.706_204_736).abs() < 1e-6);
    let ten: Vec<f64> = (0..10).map(|i| f64::from(100 + i)).collect();
    assert!((half(&ten) - 2.262_157_163 * (82.5f64 / 9.0 / 10.0).sqrt()).abs() < 1e-6);
}

#[test]
fn windows_without_likeness_give_students_interval() {
    let swing: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 90.0 } else { 110.0 }).collect();
    let (windows, iterations) =
        (Interval::of_windows(&swing).unwrap(), Interval::of_iterations(&swing).unwrap());
    assert!((windows.low - iterations.low).abs() < 1e-9 && (windows.high - iterations.high).abs() < 1e-9);
    assert_eq!((windows.method, iterations.method), (Method::BlockBootstrap, Method::StudentT));
}

#[test]
fn the_block_variance_is_that_of_all_blocks() {
    let deviations = [3.0, -1.0, -4.0, 2.0];
    // Sums of two: 2, −5, −2, 5; two blocks of two: (4 + 25 + 4 + 25) / 4 / (2 · 4).
    assert!((block_variance(&deviations, 2) - 58.0 / 4.0 / 8.0).abs() < 1e-12);
}

#[test]
fn blocks_grow_with_the_likeness_and_the_series() {
    assert_eq!([0.0, 0.01, 0.3, 0.6, 0.8].map(|phi| block_windows(256, phi)), [1, 1, 6, 12, 20]);
    assert_eq!([20, 40, 100, 512].map(|n| block_windows(n, 0.6)), [5, 6, 9, 14]);
    assert_eq!(block_windows(40, 0.9), 10);
}

#[test]
fn a_block_sees_the_share_that_sums_show() {
    // Two neighbours: variance 2(1 + φ) of what adds up to 2(1 + φ)/(1 − φ).
    assert!((seen_share(0.5, 2.0) - 0.5).abs() < 1e-12);
    assert!((seen_share(0.0, 1.0) - 1.0).abs() < 1e-12);
    assert!((seen_share(0.6, 1.0) - 0.25).abs() < 1e-12);
}

#[test]
fn too_few_values_have_no_interval() {
    assert_eq!(Interval::of_iterations(&[1.0]), None);
    assert_eq!(Interval::of_iterations(&[]), None);
    assert_eq!(Interval::of_windows(&[1.0; 19]), None);
    assert!(Interval::of_windows(&[1.0; 20]).is_some());
}

#[test]
fn equal_values_have_an_interval_without_width() {
    for i in [Interval::of_windows(&[7.0; 64]).unwrap(), Interval::of_iterations(&[7.0; 3]).unwrap()] {
        assert_eq!((i.low, i.high, i.relative_half_width()), (7.0, 7.0, 0.0));
    }
}

#[test]
fn the_half_width_is_a_share_of_the_centre() {
    let share = |low, high| Interval { low, high, method: Method::StudentT }.relative_half_width();
    assert!((share(90.0, 110.0) - 0.1).abs() < 1e-12);
    assert_eq!(share(0.0, 0.0), f64::INFINITY);
    let wide = Interval::of_iterations(&[10.0, 90.0]).unwrap();
    assert_eq!((wide.low, wide.relative_half_width()), (0.0, 1.0));
}

#[test]
fn it_is_written_with_the_name_of_its_method() {
    let json = serde_json::to_string(&Interval::of_windows(&[2.0; 20]).unwrap()).unwrap();
    assert_eq!(json, r#"{"low":2.0,"high":2.0,"method":"block-bootstrap"}"#);
}
