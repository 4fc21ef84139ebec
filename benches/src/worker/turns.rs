//! Who is next.

use anyhow::Result;

/// Lets workers take turns: every round each of them once, every other round backwards, so that whatever else runs on the machine meets
/// all alike. `each` runs the worker of that number; the outcome has its rounds at its number.
///
/// # Errors
/// The first error.
pub fn in_turn<T>(
    workers: usize,
    rounds: u32,
    mut each: impl FnMut(usize, u32) -> Result<T>,
) -> Result<Vec<Vec<T>>> {
    let mut outcomes: Vec<Vec<T>> = (0..workers).map(|_| Vec::new()).collect();
    for round in 0..rounds {
        for step in 0..workers {
            let number = if round % 2 == 0 {
                step
            } else {
                workers - 1 - step
            };
            let outcome = each(number, round)?;
            if let Some(place) = outcomes.get_mut(number) {
                place.push(outcome);
            }
        }
    }
    Ok(outcomes)
}
