//! Work on independent items, on as many threads as the machine runs at once.
//!
//! It decides who does what and when, and nothing else: what comes out is in the order of what went in, so that no
//! result depends on how many threads there were.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// The cost that pays for a thread: starting one takes as long as working on a tenth of this.
pub const SHARE: usize = 64 * 1024;

/// What `work` makes of each item, in their order. `cost` is what all of it takes, in bytes of text that are read or made,
/// roughly. The calling thread works along, and another one is started for each further [`SHARE`] of the cost only.
pub fn map<T: Send, R: Send>(items: Vec<T>, cost: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = match cost.div_ceil(SHARE).min(items.len()) {
        0 | 1 => 1,
        several => processors().min(several),
    };
    if threads == 1 {
        return items.into_iter().map(work).collect();
    }
    let mut results = Vec::with_capacity(items.len());
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    #[cfg(test)]
    let observer = crate::work::Observer::present();
    let run = || {
        #[cfg(test)]
        observer.watch();
        let mut done = Vec::new();
        while let Some((at, item)) = next() {
            done.push((at, work(item)));
        }
        done
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        results.extend(run());
        for other in others {
            match other.join() {
                Ok(done) => results.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    results.sort_unstable_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// How many threads the machine runs at once. Asked once and only when it matters: the answer is read from several files.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, 2, 1000] {
            for cost in [0, 1, SHARE, 2 * SHARE, 5000 * SHARE] {
                let doubled: Vec<usize> = (0..count).map(|n| n * 2).collect();
                let results = map((0..count).collect(), cost, |n| n * 2);
                assert_eq!(results, doubled, "{count} {cost}");
            }
        }
    }

    #[test]
    fn every_item_is_worked_on_once() {
        let times: Vec<AtomicUsize> = (0..500).map(|_| AtomicUsize::new(0)).collect();
        map((0..500).collect(), 500 * SHARE, |at: usize| {
            times
                .get(at)
                .map(|count| count.fetch_add(1, Ordering::Relaxed))
        });
        assert!(times.iter().all(|n| n.load(Ordering::Relaxed) == 1));
    }
}
