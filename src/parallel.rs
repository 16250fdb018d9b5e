//! Work on independent items, on as many threads as the machine runs at once.
//!
//! It decides who does what and when, and nothing else: what comes out is in the order of what went in, so that no
//! result depends on how many threads there were.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// What `work` makes of each item, in their order. The calling thread works along, and another one is started for each
/// further `share` of items only, since a thread has its price.
pub fn map<T: Send, R: Send>(items: Vec<T>, share: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let wanted = items.len().div_ceil(share.max(1));
    let threads = match wanted {
        0 | 1 => 1,
        // Asked only when it matters: the answer is read from several files.
        several => thread::available_parallelism()
            .map_or(1, usize::from)
            .min(several),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, 2, 1000] {
            for share in [0, 1, 64, 5000] {
                let doubled: Vec<usize> = (0..count).map(|n| n * 2).collect();
                let results = map((0..count).collect(), share, |n| n * 2);
                assert_eq!(results, doubled, "{count} {share}");
            }
        }
    }

    #[test]
    fn every_item_is_worked_on_once() {
        let times: Vec<AtomicUsize> = (0..500).map(|_| AtomicUsize::new(0)).collect();
        map((0..500).collect(), 1, |at: usize| {
            times
                .get(at)
                .map(|count| count.fetch_add(1, Ordering::Relaxed))
        });
        assert!(times.iter().all(|n| n.load(Ordering::Relaxed) == 1));
    }
}
