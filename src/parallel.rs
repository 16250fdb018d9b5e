//! Work on independent items, on as many threads as the machine runs at once.
//!
//! It decides who does what and when, and nothing else: what comes out is in the order of what went in, so that no
//! result depends on how many threads there were.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The cost that pays for a thread: handing work over takes as long as working on a tenth of this.
pub const SHARE: usize = 64 * 1024;

/// In how many portions the items are handed out at most: enough for the threads to end together, and few enough that
/// handing out costs nothing.
const PORTIONS: usize = 128;

/// The most threads that work at once. All are started at the first use, and on a machine with very many processors that
/// would take longer than most runs.
const MOST: usize = 8;

/// What `work` makes of each item, in their order. `cost` is what all of it takes, in bytes of text that are read or made,
/// roughly. The calling thread works along, and another one helps for each further [`SHARE`] of the cost only.
pub fn map<T: Send, R: Send>(items: Vec<T>, cost: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let mut results = Vec::with_capacity(items.len());
    each(items, cost, work, |result| results.push(result));
    results
}

/// [`map`], giving each result to `take` instead: on the calling thread, in order, while other items are worked on.
pub fn each<T: Send, R: Send>(
    items: Vec<T>,
    cost: usize,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let wanted = cost.div_ceil(SHARE).min(items.len()).saturating_sub(1);
    // Asked for only when it matters, since the threads are started then.
    let Some(helpers) = (wanted > 0).then(helpers).flatten() else {
        return items.into_iter().map(work).for_each(take);
    };
    let count = items.len();
    let size = (count / PORTIONS).max(1);
    let done = Mutex::new(BTreeMap::new());
    let queue = Mutex::new(items.into_iter());
    let next = || {
        let mut queue = locked(&queue);
        let at = count - queue.len();
        let portion: Vec<T> = queue.by_ref().take(size).collect();
        (!portion.is_empty()).then_some((at, portion))
    };
    let finish = |(at, portion): (usize, Vec<T>)| {
        let results: Vec<R> = portion.into_iter().map(&work).collect();
        locked(&done).insert(at, results);
    };
    #[cfg(test)]
    let observer = crate::work::Observer::present();
    let mut taken = 0;
    let mut take_what_is_done = || {
        while let Some(results) = { locked(&done).remove(&taken) } {
            taken += results.len();
            results.into_iter().for_each(&mut take);
        }
    };
    helpers.in_place_scope(|scope| {
        for _ in 0..wanted.min(helpers.current_num_threads()) {
            scope.spawn(|_| {
                #[cfg(test)]
                observer.watch();
                while let Some(portion) = next() {
                    finish(portion);
                }
            });
        }
        while let Some(portion) = next() {
            finish(portion);
            take_what_is_done();
        }
    });
    take_what_is_done();
}

/// [`map`] over items that are found one after another: `find` hands each over, and what is found is worked on meanwhile.
/// `work` gets an item's number with it. What comes out is what `find` gives, and the results in the order of the items.
pub fn map_found<T: Send, R: Send, F>(
    cost: usize,
    find: impl FnOnce(&mut dyn FnMut(T)) -> F,
    work: impl Fn(usize, T) -> R + Sync,
) -> (F, Vec<R>) {
    let wanted = cost.div_ceil(SHARE).saturating_sub(1);
    let Some(helpers) = (wanted > 0).then(helpers).flatten() else {
        let mut results = Vec::new();
        let found = find(&mut |item| results.push(work(results.len(), item)));
        return (found, results);
    };
    let feed = Feed::new();
    let results = Mutex::new(Vec::new());
    #[cfg(test)]
    let observer = crate::work::Observer::present();
    let run = || {
        #[cfg(test)]
        observer.watch();
        while let Some((at, item)) = feed.next() {
            let done = work(at, item);
            locked(&results).push((at, done));
        }
    };
    let (found, first) = helpers.in_place_scope(|scope| {
        for _ in 0..wanted.min(helpers.current_num_threads()) {
            scope.spawn(|_| run());
        }
        // Whatever becomes of the finding, nobody waits for more of it.
        let ended = feed.ended();
        let mut first = None;
        let found = find(&mut |item| {
            if first.is_none() {
                first = Some(item);
            } else {
                feed.add(item);
            }
        });
        drop(ended);
        // The first is the calling thread's: of a single one, which may be all there is, the memory is then where the rest
        // of the run can use it again.
        let first = first.map(|item| work(0, item));
        run();
        (found, first)
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(at, _)| *at);
    let rest = results.into_iter().map(|(_, result)| result);
    (found, first.into_iter().chain(rest).collect())
}

/// Items between who finds them and who works on them; they are numbered from 1.
struct Feed<T> {
    state: Mutex<Fed<T>>,
    changed: Condvar,
}

struct Fed<T> {
    items: VecDeque<T>,
    taken: usize,
    is_over: bool,
}

/// Says, when it is dropped, that nothing more comes.
struct Ended<'f, T>(&'f Feed<T>);

impl<T> Feed<T> {
    fn new() -> Self {
        let state = Fed {
            items: VecDeque::new(),
            taken: 0,
            is_over: false,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn ended(&self) -> Ended<'_, T> {
        Ended(self)
    }

    fn add(&self, item: T) {
        locked(&self.state).items.push_back(item);
        self.changed.notify_one();
    }

    /// The next item with its number, waited for; `None` when there are no more.
    fn next(&self) -> Option<(usize, T)> {
        let mut fed = locked(&self.state);
        loop {
            if let Some(item) = fed.items.pop_front() {
                fed.taken += 1;
                return Some((fed.taken, item));
            }
            if fed.is_over {
                return None;
            }
            let woken = self.changed.wait(fed);
            fed = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Drop for Ended<'_, T> {
    fn drop(&mut self) {
        locked(&self.0.state).is_over = true;
        self.0.changed.notify_all();
    }
}

/// What writing one line of a report costs, for [`map`].
const LINE_COST: usize = 128;

/// Gives `take` the lines that `write` makes of each item, `count` in all, in pieces of several lines, one after another.
pub fn lines<T: Sync>(
    items: &[T],
    count: usize,
    write: impl Fn(&T, &mut String) + Sync,
    take: impl FnMut(String),
) {
    let size = items.len().div_ceil(PORTIONS).max(1);
    let portions: Vec<&[T]> = items.chunks(size).collect();
    let cost = count * LINE_COST;
    let room = cost / portions.len().max(1);
    let write = |items: &[T]| {
        let mut out = String::with_capacity(room);
        for item in items {
            write(item, &mut out);
        }
        out
    };
    each(portions, cost, write, take);
}

fn locked<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread less than work at once, the same for the whole run: a thread that ends leaves its half-full pages
/// to nobody. `None` where there is but one, or no thread can be started.
fn helpers() -> Option<&'static ThreadPool> {
    static HELPERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let processors = thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MOST);
        if processors == 1 {
            return None;
        }
        let pool = ThreadPoolBuilder::new().num_threads(processors - 1);
        pool.build().ok()
    };
    HELPERS.get_or_init(start).as_ref()
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
    fn lines_are_those_of_the_items_one_after_another() {
        for count in [0, 1, PORTIONS, PORTIONS + 1, 200 * PORTIONS] {
            let items: Vec<usize> = (0..count).collect();
            let mut made = String::new();
            let write = |n: &usize, out: &mut String| {
                out.push_str(&n.to_string());
                out.push('\n');
            };
            lines(&items, count, write, |text| made.push_str(&text));
            let read: Vec<usize> = made.lines().flat_map(str::parse).collect();
            assert_eq!(read, items);
        }
    }

    #[test]
    fn what_is_found_is_worked_on_in_any_order_and_comes_out_in_its_own() {
        for count in [0, 1, 2, 1000] {
            for cost in [0, SHARE, 2 * SHARE, 5000 * SHARE] {
                let find = |found: &mut dyn FnMut(usize)| {
                    (0..count).for_each(found);
                    count
                };
                let (found, results) = map_found(cost, find, |at, n| (at, n * 2));
                let doubled: Vec<_> = (0..count).map(|n| (n, n * 2)).collect();
                assert_eq!((found, results), (count, doubled), "{cost}");
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
