//! How often a run does what costs: counted for tests, so that they can hold cost to its proportion without a clock (Y30).
//!
//! It decides nothing and changes nothing. Outside tests counting is no code at all.

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// A file of a package was read.
    PackageFileRead,
    /// A YAML text was parsed.
    YamlParsed,
    /// A template was compiled.
    TemplateCompiled,
    /// A template was rendered.
    TemplateRendered,
    /// A file of the output directory was read.
    TargetRead,
    /// A target's text was taken apart into lines and regions.
    TargetScanned,
    /// The marker of a region was read.
    MarkerRead,
    /// The marker of a region was written.
    MarkerWritten,
}

/// Counts something done once.
#[cfg(not(test))]
#[inline]
pub(crate) fn done(_: Work) {}

#[cfg(test)]
pub(crate) use counting::{Counts, Observer, done, observe};

#[cfg(test)]
mod counting {
    use std::cell::RefCell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Work;

    /// How often each [`Work`] was done, by its place in the enumeration.
    #[derive(Debug, Default)]
    pub(crate) struct Counts([AtomicUsize; 8]);

    impl Counts {
        /// How often something was done.
        pub(crate) fn of(&self, work: Work) -> usize {
            self.0[work as usize].load(Ordering::Relaxed)
        }
    }

    thread_local! {
        static COUNTS: RefCell<Option<Arc<Counts>>> = const { RefCell::new(None) };
    }

    /// Counts something done once, if anybody watches this thread.
    pub(crate) fn done(work: Work) {
        COUNTS.with_borrow(|counts| {
            if let Some(counts) = counts {
                counts.0[work as usize].fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// Whoever watches a thread, to be handed on to the threads that it starts.
    #[derive(Clone, Default)]
    pub(crate) struct Observer(Option<Arc<Counts>>);

    impl Observer {
        /// Whoever watches this thread.
        pub(crate) fn present() -> Self {
            Self(COUNTS.with_borrow(Clone::clone))
        }

        /// Has this thread watched from now on.
        pub(crate) fn watch(&self) {
            COUNTS.set(self.0.clone());
        }
    }

    /// What was done while `run` ran, on this thread and on those that it started.
    pub(crate) fn observe(run: impl FnOnce()) -> Arc<Counts> {
        let counts = Arc::new(Counts::default());
        Observer(Some(Arc::clone(&counts))).watch();
        run();
        Observer::default().watch();
        counts
    }
}
