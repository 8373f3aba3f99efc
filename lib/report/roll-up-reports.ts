import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { acrossPractices, forPractices } from "#lib/db/for-practices";
import { isUnavailable } from "#lib/db/unavailable";
import {
  beginProgress,
  countPast,
  followLog,
  forgetReports,
  lockProgress,
  practicesToFollow,
  rollUpDays,
  rollUpYear,
  saveProgress,
  saveYears,
  type RolledPractice,
} from "#lib/report/store/roll-up";
import { decisionTimes } from "#lib/task/model/decision-times";

/** Entries of an audit log read in one transaction, and days added up in one. */
const entriesMax = 500;
const daysMax = 31;

/** Longest that the past of a practice with millions of cases may take to count, in one transaction. */
const pastMs = 600_000;

/** Transactions for one practice in one round, so that a large past does not keep the others waiting. */
const stepsMax = 60;

/**
 * One round of adding up: for each practice it reads on in the audit log and adds up anew the days to which the cases
 * named there contribute. A practice without progress is added up from its cases, the newest days first. Any number of
 * workers may run it. A practice whose figures can't be made leaves those of the others alone: it fails at the end.
 */
export async function rollUpReports(store: Store, signal?: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  for (const { id: practiceId, zone } of await practicesToFollow(acrossPractices(store, "reports"))) {
    const practice = { practiceId, zone, rules: decisionTimes };
    await rollUpPractice(forPractices(store, [practiceId]), practice, signal).catch((error) => errors.push(error));
  }
  // One of ours rather than that the database was away, as in every failover.
  const cause = errors.find((error) => !isUnavailable(error)) ?? errors[0];
  if (errors.length > 0)
    throw new Error(`The reports were not added up, for this many practices: ${errors.length}.`, { cause });
}

async function rollUpPractice(store: Store, practice: RolledPractice, signal?: AbortSignal): Promise<void> {
  for (let steps = 0; steps < stepsMax && signal?.aborted !== true; steps += 1)
    if (!(await inTransaction(store, (tx) => step(tx, practice), { longestMs: pastMs }))) break;
  // Apart from the days, which are right without them.
  await inTransaction(store, (tx) => rollUpYears(tx, practice));
}

/** One transaction; whether there is more to do. */
async function step(tx: Tx, practice: RolledPractice): Promise<boolean> {
  const { practiceId, zone } = practice;
  const progress = await lockProgress(tx, practiceId);
  if (!progress) return begin(tx, practice);
  if (progress.time_zone !== zone) {
    await forgetReports(tx, practiceId);
    return true;
  }
  const read = await followLog(tx, practice, { after: progress.seq, limit: entriesMax });
  const due = [...new Set([...progress.days_due, ...(read?.days ?? [])])].toSorted();
  const now = newestRun(due);
  const [first, last] = [now[0], now.at(-1)];
  if (first !== undefined && last !== undefined) await rollUpDays(tx, practice, { from: first, to: last });
  const daysDue = due.filter((day) => !now.includes(day));
  const seq = read?.seq ?? progress.seq;
  if (read === undefined && now.length === 0) return false;
  const yearsDue = [...new Set([...progress.years_due, ...now.map((day) => Number(day.slice(0, 4)))])];
  await saveProgress(tx, practiceId, { seq, daysDue, yearsDue });
  return read?.mayGoOn === true || daysDue.length > 0;
}

/** Begins with the whole past; false where another worker does. */
async function begin(tx: Tx, practice: RolledPractice): Promise<boolean> {
  const past = await countPast(tx, practice);
  if (!past) return false;
  await beginProgress(tx, practice.practiceId, { zone: practice.zone, seq: past.seq, daysDue: past.days });
  return true;
}

/** The newest of these days and those right before it, in order. */
function newestRun(days: readonly string[]): readonly string[] {
  const run: string[] = [];
  for (const day of days.toReversed()) {
    const next = run[0];
    if (run.length === daysMax || (next !== undefined && dayAfter(day) !== next)) break;
    run.unshift(day);
  }
  return run;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** The exact figures of a year wait until no more of its days are due at once, and some minutes since the last time. */
async function rollUpYears(tx: Tx, practice: RolledPractice): Promise<void> {
  const progress = await lockProgress(tx, practice.practiceId);
  if (progress?.time_zone !== practice.zone || !progress.years_are_old || progress.years_due.length === 0) return;
  for (const year of progress.years_due) await rollUpYear(tx, practice, year);
  await saveYears(tx, practice.practiceId);
}
