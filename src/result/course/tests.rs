use super::*;
use crate::result::noise::Noise;

const SERIES: u32 = 500;

/// The share of series without a change that show one.
fn alarms(seed: u64, series: impl Fn(&mut Noise) -> Vec<f64>, cut: fn(&[f64]) -> Vec<Range<usize>>) -> f64 {
    let mut noise = Noise::new(seed);
    let false_ones = (0..SERIES).filter(|_| cut(&series(&mut noise)).len() > 1).count();
    false_ones as f64 / f64::from(SERIES)
}

/// `n` windows at 1000 with normal noise of `share`, where `level` gives the share of it that a window runs at.
fn shaped(seed: u64, n: usize, share: f64, level: impl Fn(usize) -> f64) -> Vec<f64> {
    let noise = Noise::new(seed).normals(n, 1000.0, 1000.0 * share);
    noise.iter().enumerate().map(|(i, value)| value * level(i)).collect()
}

fn assert_near(what: &str, found: u64, true_place: u64) {
    assert!(found.abs_diff(true_place) <= 2, "{what}: found {found}, is {true_place}");
}

fn assert_level(found: f64, true_level: f64) {
    assert!((found / true_level - 1.0).abs() < 0.05, "level {found}, is {true_level}");
}

/// A series of `n` windows in one segment.
fn one(n: usize) -> Vec<Range<usize>> {
    std::iter::once(0..n).collect()
}

/// Both noises and a few seeds for each shape.
fn each_noise(check: impl Fn(u64, f64)) {
    for seed in 0..20 {
        check(seed, 0.05);
        check(seed, 0.10);
    }
}

#[test]
fn noise_without_a_change_shows_none() {
    for n in [64, 256] {
        let assert_few = |what: &str, share: f64| assert!(share <= 0.02, "{what}, {n} windows: {share}");
        assert_few("normal", alarms(21, |noise| noise.normals(n, 100.0, 20.0), segments));
        assert_few("counts", alarms(22, |noise| noise.poissons(n, 20.0), segments));
        assert_few("slow noise", alarms(23, |noise| noise.autoregressive(n, 100.0, 20.0, 0.5), segments));
    }
}

#[test]
fn the_simulation_finds_false_alarms() {
    let as_if_independent = |values: &[f64]| -> Vec<Range<usize>> {
        let penalty = PENALTY * difference_variance(values) * (values.len() as f64).ln();
        merged(values, partition(&Sums::of(values, 0.0), penalty))
    };
    assert!(alarms(24, |noise| noise.autoregressive(256, 100.0, 20.0, 0.5), as_if_independent) > 0.5);
    let step = |noise: &mut Noise| -> Vec<f64> {
        noise
            .normals(256, 100.0, 10.0)
            .iter()
            .enumerate()
            .map(|(i, v)| if i < 128 { *v } else { 0.7 * v })
            .collect()
    };
    assert!(alarms(25, step, segments) > 0.99);
}

#[test]
fn a_step_is_found_at_its_place() {
    each_noise(|seed, noise| {
        let cut = segments(&shaped(seed, 256, noise, |i| if i < 100 { 1.0 } else { 0.6 }));
        assert_eq!(cut.len(), 2, "{cut:?}");
        assert_eq!((cut[0].start, cut[1].start, cut[1].end), (0, cut[0].end, 256));
        assert_near("step", cut[1].start as u64, 100);
    });
}

/// Two deviations are found only where windows are known to be independent.
#[test]
fn a_small_step_in_independent_noise_is_found() {
    let cut = |seed| segments(&shaped(seed, 256, 0.10, |i| if i < 128 { 1.0 } else { 0.8 }));
    let found = (0..20).map(cut).filter(|cut| cut.len() == 2 && cut[1].start.abs_diff(128) <= 5).count();
    assert!(found >= 18, "{found} of 20");
}

#[test]
fn a_step_in_slow_noise_is_found() {
    for seed in 0..20 {
        let noise = Noise::new(seed).autoregressive(256, 100.0, 5.0, 0.5);
        let values: Vec<f64> =
            noise.iter().enumerate().map(|(i, v)| if i < 150 { *v } else { v - 40.0 }).collect();
        let cut = segments(&values);
        assert_eq!(cut.len(), 2, "{cut:?}");
        assert_near("step", cut[1].start as u64, 150);
    }
}

#[test]
fn a_slow_or_fast_start_is_a_warm_up() {
    for start in [0.5, 1.6] {
        each_noise(|seed, noise| {
            let found = course(&shaped(seed, 250, noise, |i| if i < 50 { start } else { 1.0 })).unwrap();
            assert_near("warm-up", found.warm_up_windows(), 50);
            let warm_up = found.warm_up.unwrap();
            assert_eq!((warm_up.first_window, warm_up.windows), (0, found.steady.first_window));
            assert_level(warm_up.mean, 1000.0 * start);
            assert_level(found.steady.mean, 1000.0);
            assert_eq!(found.steady.first_window + found.steady.windows, 250);
            assert_eq!((found.at_level_windows, found.dips), (found.steady.windows, vec![]));
        });
    }
}

#[test]
fn dips_are_found_at_their_places() {
    let places = [(60, 12, 0.4), (180, 5, 0.0)];
    for known in [&places[..1], &places[..]] {
        let level = |i: usize| known.iter().find(|d| (d.0..d.0 + d.1).contains(&i)).map_or(1.0, |d| d.2);
        each_noise(|seed, noise| {
            let found = course(&shaped(seed, 300, noise, level)).unwrap();
            assert_eq!((found.dips.len(), found.warm_up), (known.len(), None), "{found:?}");
            assert_level(found.steady.mean, 1000.0);
            for (dip, (start, windows, share)) in found.dips.iter().zip(known) {
                assert_near("start", dip.first_window, *start as u64);
                assert_near("end", dip.first_window + dip.windows, (start + windows) as u64);
                assert!((dip.mean - 1000.0 * share).abs() < 100.0, "{dip:?}");
            }
        });
    }
}

#[test]
fn a_stall_of_one_window_is_a_dip() {
    each_noise(|seed, noise| {
        let found = course(&shaped(seed, 500, noise, |i| if i == 321 { 0.0 } else { 1.0 })).unwrap();
        assert_eq!(found.dips, [Level { first_window: 321, windows: 1, mean: 0.0 }]);
        assert_eq!(found.at_level_windows, 499);
    });
}

#[test]
fn a_spike_is_neither_dip_nor_warm_up() {
    each_noise(|seed, noise| {
        let found = course(&shaped(seed, 300, noise, |i| if i % 100 == 50 { 4.0 } else { 1.0 })).unwrap();
        assert_eq!((found.warm_up, found.dips.len()), (None, 0));
        assert_level(found.steady.mean, 1000.0);
        assert_eq!(found.at_level_windows, 297);
    });
}

#[test]
fn small_differences_are_one_level() {
    let step =
        |share: f64| (0..100).map(|i| if i < 50 { 1000.0 } else { 1000.0 * share }).collect::<Vec<f64>>();
    assert_eq!(segments(&step(0.91)), one(100));
    assert_eq!(segments(&step(0.89)), [0..50, 50..100]);
}

#[test]
fn the_mean_of_merged_levels_is_what_later_ones_are_held_to() {
    let values: Vec<f64> = [100.0, 93.0, 86.0].into_iter().flat_map(|level| [level; 40]).collect();
    assert_eq!(merged(&values, vec![0..40, 40..80, 80..120]), vec![0..80, 80..120]);
}

#[test]
fn a_burst_then_stalls_is_told_whole() {
    let level = |i: usize| match i {
        0..40 => 2.0,
        200..204 => 0.5,
        204..206 => 0.0,
        390.. => 0.3,
        _ => 1.0,
    };
    let found = course(&shaped(3, 400, 0.05, level)).unwrap();
    let windows = |l: &Level| (l.first_window, l.windows);
    assert_eq!(found.warm_up.as_ref().map(windows), Some((0, 40)));
    assert_eq!(found.dips.iter().map(windows).collect::<Vec<_>>(), [(200, 6), (390, 10)]);
    assert_eq!(found.at_level_windows, 400 - 40 - 16);
}

#[test]
fn what_lasts_longer_than_half_is_no_warm_up() {
    let found = course(&shaped(4, 100, 0.05, |i| if i < 60 { 1.0 } else { 0.5 })).unwrap();
    assert_eq!((found.warm_up, found.dips.len()), (None, 1));
    assert_eq!((found.dips[0].first_window, found.dips[0].windows), (60, 40));
}

#[test]
fn a_warm_up_ends_in_the_first_half() {
    let level = |i: usize| match i {
        0..30 => 0.5,
        30..58 => 1.5,
        _ => 1.0,
    };
    let found = course(&shaped(6, 100, 0.02, level)).unwrap();
    assert_eq!((found.warm_up_windows(), found.at_level_windows), (30, 42));
    assert_level(found.steady.mean, 1000.0);
}

#[test]
fn a_stall_behind_a_fast_start_is_no_warm_up() {
    let values = [vec![8.6; 125], vec![0.0; 75], vec![7.4; 233]].concat();
    let found = course(&values).unwrap();
    let windows = |l: &Level| (l.first_window, l.windows);
    assert_eq!(found.warm_up.as_ref().map(windows), Some((0, 125)));
    assert_eq!(found.dips.iter().map(windows).collect::<Vec<_>>(), [(125, 75)]);
}

#[test]
fn what_stays_above_four_fifths_is_no_dip() {
    let dips = |share: f64| {
        course(&shaped(7, 200, 0.01, |i| if i / 10 == 7 { share } else { 1.0 })).map(|c| c.dips.len())
    };
    assert_eq!((dips(0.85), dips(0.75)), (Some(0), Some(1)));
}

#[test]
fn constant_series_have_one_level() {
    for value in [0.0, 1e-9, 0.1, 123_456.7] {
        assert_eq!(segments(&[value; 100]), one(100));
        let found = course(&[value; 100]).unwrap();
        assert_eq!((found.steady.first_window, found.steady.windows, found.at_level_windows), (0, 100, 100));
        assert!((found.steady.mean - value).abs() <= 1e-9 * value);
        assert_eq!((found.warm_up, found.dips.len()), (None, 0));
    }
}

#[test]
fn a_stall_in_a_series_without_noise_is_found() {
    let mut values = [500.0; 128];
    values[70..73].fill(0.0);
    assert_eq!(course(&values).unwrap().dips, [Level { first_window: 70, windows: 3, mean: 0.0 }]);
}

#[test]
fn short_series_have_no_course() {
    assert_eq!(course(&[1.0; 63]), None);
    assert!(course(&[1.0; 64]).is_some());
    assert!(segments(&[]).is_empty());
    assert_eq!(segments(&[5.0]), one(1));
}

#[test]
fn the_cost_is_the_least_squared_error() {
    let values = [3.0, 5.0, 4.0, 9.0, 1.0];
    let error = |phi: f64, s: &[f64], level: f64| {
        let d: Vec<f64> = s.iter().map(|y| y - level).collect();
        (1.0 - phi * phi) * d[0] * d[0] + d.windows(2).map(|p| (p[1] - phi * p[0]).powi(2)).sum::<f64>()
    };
    for phi in [0.0, 0.5] {
        let sums = Sums::of(&values, phi);
        for segment in [0..5, 1..4, 2..3] {
            let s = &values[segment.clone()];
            let least =
                (0..10_000).map(|i| error(phi, s, f64::from(i) / 1000.0)).fold(f64::INFINITY, f64::min);
            assert!((sums.cost(&segment) - least).abs() < 1e-4, "{phi} {segment:?}");
        }
    }
}

#[test]
fn the_noise_is_that_of_the_steps() {
    let values = Noise::new(5).autoregressive(100_000, 50.0, 3.0, 0.5);
    assert!((difference_variance(&values) / 4.5 - 1.0).abs() < 0.03);
    assert!((autocorrelation(&values, std::slice::from_ref(&(0..values.len()))) - 0.5).abs() < 0.01);
}
