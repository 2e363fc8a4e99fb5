//! Made-up series with known properties, for the tests of the statistics.

/// A source of random numbers: SplitMix64 (Steele, Lea, Flood 2014), so that a seed gives the same series everywhere.
pub struct Noise(u64);

impl Noise {
    /// The source that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Noise(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in (0, 1].
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// Normal with mean 0 and deviation 1 (Box & Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// A Poisson count: arrivals, a mean of `mean` of them a window, until the window is over (Knuth 1969).
    pub fn poisson(&mut self, mean: f64) -> f64 {
        let (mut count, mut product, limit) = (0.0, self.uniform(), (-mean).exp());
        while product > limit {
            count += 1.0;
            product *= self.uniform();
        }
        count
    }

    /// `n` independent normal values.
    pub fn normals(&mut self, n: usize, mean: f64, deviation: f64) -> Vec<f64> {
        (0..n).map(|_| mean + deviation * self.normal()).collect()
    }

    /// `n` independent Poisson counts.
    pub fn poissons(&mut self, n: usize, mean: f64) -> Vec<f64> {
        (0..n).map(|_| self.poisson(mean)).collect()
    }

    /// `n` values of a stationary first-order autoregression: each remembers the share `phi` of the one before.
    pub fn autoregressive(&mut self, n: usize, mean: f64, deviation: f64, phi: f64) -> Vec<f64> {
        let fresh = (1.0 - phi * phi).sqrt();
        let mut state = self.normal();
        let mut next = || {
            state = phi * state + fresh * self.normal();
            mean + deviation * state
        };
        (0..n).map(|_| next()).collect()
    }
}
