//! Work on all cores, and how far it is.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How often the progress is said.
const PERIOD: Duration = Duration::from_secs(2);

/// Does each job, of a known size, on one of as many threads as there are cores; what they give, in order.
pub fn all<Job: Sync, Done: Send>(
    what: &str,
    jobs: &[Job],
    size: impl Fn(&Job) -> usize + Sync,
    work: impl Fn(&Job) -> Done + Sync,
) -> Vec<Done> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let total: usize = jobs.iter().map(&size).sum();
    let (begin, said) = (Instant::now(), Mutex::new(Instant::now()));
    let results: Mutex<Vec<(usize, Done)>> = Mutex::default();
    let thread = || {
        while let Some((i, job)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, jobs.get(i)?))) {
            let result = work(job);
            results.lock().expect("no thread panics under this lock").push((i, result));
            let done = done.fetch_add(size(job), Ordering::Relaxed) + size(job);
            let mut said = said.lock().expect("no thread panics under this lock");
            if said.elapsed() >= PERIOD || done == total {
                *said = Instant::now();
                let rate = done as f64 / begin.elapsed().as_secs_f64();
                println!("{what}: {done} of {total}, {rate:.0} a second");
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, |count| count.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(thread))));
    let mut results = results.into_inner().expect("no thread panicked");
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}
