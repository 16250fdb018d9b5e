//! The arithmetic of rates: intervals, the paired test, and the random numbers that have to be the same every time.
//!
//! It knows nothing of samples or signals, and needs nothing but the standard library. What a rate means is
//! [`super::score`]'s to say, and no number of this module decides anything (H2).

/// The standard normal quantile of 97.5 %.
const Z: f64 = 1.959_963_984_540_054;
/// How often a bootstrap draws: enough that the second digit of a bound stays where it is.
const DRAWS: u32 = 4000;

/// Two bounds, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// Wilson's 95 % interval of `k` among `n` (H31); `None` without a trial.
pub fn wilson(k: u64, n: u64) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let (k, n) = (float(k), float(n));
    let p = k / n;
    let z2 = Z * Z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Some(Interval {
        low: (centre - half).max(0.0),
        high: (centre + half).min(1.0),
    })
}

/// A 95 % interval of a ratio whose units come in clusters, `(k, n)` each: whole clusters are drawn again with
/// replacement, and the interval is where the middle 95 % of the ratios lie. The same clusters give the same interval.
/// `None` without a unit.
pub fn bootstrap(clusters: &[(u64, u64)], seed: u64) -> Option<Interval> {
    if clusters.iter().all(|(_, n)| *n == 0) {
        return None;
    }
    let mut random = Random::new(seed);
    let mut ratios = Vec::new();
    for _ in 0..DRAWS {
        let (mut k, mut n) = (0, 0);
        for _ in clusters {
            if let Some((hits, units)) = random.pick(clusters) {
                k += hits;
                n += units;
            }
        }
        if n > 0 {
            ratios.push(float(k) / float(n));
        }
    }
    ratios.sort_by(f64::total_cmp);
    Some(Interval {
        low: quantile(&ratios, 0.025)?,
        high: quantile(&ratios, 0.975)?,
    })
}

/// The value at a share of sorted values, by the nearest rank.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    // A share of a vector's length is a vector's length.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let at = (share * float(last as u64)).round() as usize;
    sorted.get(at.min(last)).copied()
}

/// The two-sided p of the exact test for pairs that is `McNemar`'s: of the pairs that differ, `first` went one way and `second` the other, and
/// either way is as likely as the other if the two conditions do not differ. 1 when no pair differs.
pub fn mcnemar(first: u64, second: u64) -> f64 {
    let n = first + second;
    let fewer = first.min(second);
    // Factorials overflow long before these numbers do, so the terms are summed as logarithms.
    let log_choose = |k: u64| ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    let tail: f64 = (0..=fewer)
        .map(|k| (log_choose(k) - float(n) * std::f64::consts::LN_2).exp())
        .sum();
    (2.0 * tail).min(1.0)
}

fn ln_factorial(n: u64) -> f64 {
    (2..=n).map(|i| float(i).ln()).sum()
}

/// Counts are far below 2^53.
#[allow(clippy::cast_precision_loss)]
fn float(count: u64) -> f64 {
    count as f64
}

/// Random numbers that depend on the seed alone (SplitMix64): a shuffle, a mutant or an interval can be had again.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0; the bias of the remainder is far below what any use here could show.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap_or(0)
    }

    /// One of these, `None` of none.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        if of.is_empty() {
            return None;
        }
        let at = self.below(of.len());
        of.get(at)
    }

    /// Puts a list in another order, every order being as likely as any other (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            let other = self.below(end + 1);
            list.swap(end, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 0.000_5, "{found} is not {wanted}");
    }

    /// 81 of 263 is the example of Newcombe (1998), table I, method 3: 0.2553 to 0.3662; his rows for 15 of 148, 0 of
    /// 20 and 1 of 29 are the others.
    #[test]
    fn h31_wilsons_interval_is_that_of_the_published_table() {
        for (k, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = wilson(k, n).unwrap();
            close(found.low, low);
            close(found.high, high);
        }
        assert_eq!(wilson(0, 0), None);
        close(wilson(5, 5).unwrap().high, 1.0);
        // n / (n + z²) = 5 / 8.8415
        close(wilson(5, 5).unwrap().low, 0.5655);
    }

    /// By hand: of 10 pairs that differ with 2 on one side, 2 (1 + 10 + 45) / 1024 = 112 / 1024.
    #[test]
    fn mcnemars_exact_p_is_that_of_the_binomial() {
        close(mcnemar(2, 8), 112.0 / 1024.0);
        close(mcnemar(8, 2), 112.0 / 1024.0);
        close(mcnemar(0, 5), 2.0 / 32.0);
        close(mcnemar(0, 6), 2.0 / 64.0);
        close(mcnemar(1, 1), 1.0);
        close(mcnemar(0, 0), 1.0);
        close(mcnemar(0, 1), 1.0);
        // 2 · Σ C(20, k) for k ≤ 5 is 2 · 21700, over 2^20.
        close(mcnemar(5, 15), 43_400.0 / 1_048_576.0);
        assert!(mcnemar(500, 700) > 0.0);
    }

    #[test]
    fn a_bootstrap_of_equal_clusters_has_no_width_and_is_the_same_every_time() {
        let same = bootstrap(&[(2, 3); 5], 7).unwrap();
        close(same.low, 2.0 / 3.0);
        close(same.high, 2.0 / 3.0);
        let clusters = [(0, 4), (4, 4), (2, 4), (4, 4), (0, 4)];
        let found = bootstrap(&clusters, 7).unwrap();
        assert_eq!(Some(found), bootstrap(&clusters, 7));
        assert_eq!(bootstrap(&[(0, 0); 3], 7), None);
    }

    /// Of two clusters, all or nothing, a draw is 0, ½ or 1 with the chances ¼, ½, ¼, so the middle 95 % reach from 0
    /// to 1. Ten clusters with half of them right: the binomial of 10 and ½ has 2 at 2.5 % and 8 at 97.5 %.
    #[test]
    fn a_bootstrap_draws_whole_clusters() {
        let found = bootstrap(&[(0, 3), (3, 3)], 1).unwrap();
        close(found.low, 0.0);
        close(found.high, 1.0);
        let ten: Vec<_> = (0..10)
            .map(|n| if n < 5 { (4, 4) } else { (0, 4) })
            .collect();
        let found = bootstrap(&ten, 1).unwrap();
        close(found.low, 0.2);
        close(found.high, 0.8);
    }

    /// The first numbers of the published reference implementation for the seed 1234567.
    #[test]
    fn the_random_numbers_are_those_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let found: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            found,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn a_shuffle_keeps_every_member() {
        let mut list: Vec<u32> = (0..20).collect();
        Random::new(3).shuffle(&mut list);
        assert_ne!(list, (0..20).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..20).collect::<Vec<_>>());
    }
}
