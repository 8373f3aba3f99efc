/**
 * Runs rounds until `isOver`, at least one. A round counts as failed if it did not pass or added no trial: one that
 * killed no worker proves nothing, however green it is. `round` resolves to whether it passed, and `trials` counts those
 * written down so far.
 */
export async function runRounds({ round, trials, isOver }) {
  let rounds = 0;
  let failed = 0;
  do {
    rounds += 1;
    const before = trials();
    const passed = await round();
    if (!passed || trials() === before) failed += 1;
  } while (!isOver());
  return { rounds, failed };
}
