import type { SignedHead } from "#lib/audit/heads";
import type { Context } from "#lib/access/context";
import type { OperatorActor } from "#lib/access/model/actor";
import { assert } from "#lib/platform/result";
import { findLoss, noteRecovered, type Loss } from "#lib/submission/ledger/recovery";
import { listPracticeIds } from "#lib/practice/shared/practices";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { serviceChain } from "#lib/audit/model/entry";
import { inTransaction } from "#lib/db/db";
import { clearRecordStops } from "#lib/submission/shared/record-stops";
import { askAllNow, tasksReleased } from "#lib/submission/shared/work";
import { isUnavailable } from "#lib/db/unavailable";
import { holdAfterRecovery, recoverSubmission, type FoundAs } from "./recover-task.ts";

export type { Loss };

type RecoveryContext = { readonly folder: string; readonly heads: readonly SignedHead[] };
type FoundSubmission = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly at: Date;
  readonly as: FoundAs;
};

/** What was done about a loss. */
export type RecoveryReport = Loss & {
  readonly practices: readonly string[];
  readonly found: readonly FoundSubmission[];
  readonly held: number;
  /** The cases whose release could not be held again, because something of them does not open. */
  readonly notHeld: readonly string[];
  readonly inquiries: number;
};

/** What the database lacks of what was seen of it. Changes nothing. */
export function inspectRecord({ store }: Context<OperatorActor>, known: RecoveryContext): Promise<Loss> {
  return findLoss({ store, ...known });
}

/**
 * Makes a database with lost entries safe to continue with. The payers are asked about every submission that it does
 * not know and about every open case; every release is held again; and the audit log says what is missing. A case of
 * which something does not open stops no other, and is reported. If it is interrupted, run it again: finished parts are
 * left alone.
 */
export async function recoverRecord(ctx: Context<OperatorActor>, known: RecoveryContext): Promise<RecoveryReport> {
  const { store } = ctx;
  const loss = await findLoss({ store, ...known });
  const practices = await practicesOf(ctx, loss);
  const found: FoundSubmission[] = [];
  for (const { taskId, gateId, attempt, chain, at: ms } of lastAttempts(loss)) {
    const at = new Date(ms);
    found.push({ taskId, practiceId: chain, at, as: await takeUp(ctx, { taskId, gateId, attempt, at }) });
  }
  const { held, notHeld } = await holdReleases(ctx, practices);
  const inquiries = await askAllNow(store, practices);
  await putOnRecord(ctx, loss, { found, held, inquiries });
  // Last, because it lets the workers continue.
  await noteRecovered(
    { store, folder: known.folder },
    loss.chains.map(({ chain }) => chain),
  );
  for (const practiceId of practices) announce(store, "cases", practiceId);
  return { ...loss, practices, found, held, notHeld, inquiries };
}

/** Takes up one submission. Where its case cannot be read, a person is told to look at it, if at least that can be written. */
async function takeUp(
  ctx: Context<OperatorActor>,
  submission: Parameters<typeof recoverSubmission>[1],
): Promise<FoundAs> {
  const recovered = await unlessUnreadable(recoverSubmission(ctx, submission));
  if (recovered === "unreadable") {
    await unlessUnreadable(recoverSubmission(ctx, { ...submission, isUnreadable: true }));
    return "unreadable";
  }
  assert(recovered.ok, "what was submitted can be taken up in any state");
  return recovered.value;
}

/** One that is not held again here is held when its turn comes, before anything of it is submitted. */
async function holdReleases(ctx: Context<OperatorActor>, practices: readonly string[]) {
  let held = 0;
  const notHeld: string[] = [];
  for (const taskId of await tasksReleased(ctx.store, practices)) {
    const isHeld = await unlessUnreadable(holdAfterRecovery(ctx, taskId));
    if (isHeld === "unreadable") notHeld.push(taskId);
    else if (isHeld) held += 1;
  }
  return { held, notHeld };
}

/** What an act on one case gives, unless the case itself makes it fail. An outage concerns all cases, and fails as before. */
async function unlessUnreadable<Value>(act: Promise<Value>): Promise<Value | "unreadable"> {
  try {
    return await act;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return "unreadable";
  }
}

/**
 * The practices whose own chain lacks something. All of them if a shared chain does, or if the time since is unknown.
 */
async function practicesOf({ store }: Context, { chains, isNewLedger }: Loss): Promise<readonly string[]> {
  const all = await listPracticeIds(store);
  const lacking = new Set(chains.map(({ chain }) => chain));
  const areShared = [...lacking].some((chain) => !all.includes(chain));
  return isNewLedger || areShared ? all : all.filter((id) => lacking.has(id));
}

function lastAttempts({ submissions }: Loss) {
  return [...new Map(submissions.map((submission) => [submission.gateId, submission])).values()];
}

/** Each chain records what it lacks, at the place where it forked. The service's own chain records what was done. */
async function putOnRecord(
  { store, actor }: Context<OperatorActor>,
  { chains, isNewLedger }: Loss,
  { found, held, inquiries }: Pick<RecoveryReport, "found" | "held" | "inquiries">,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    for (const { chain, seen, there } of [...chains].sort((one, other) => (one.chain < other.chain ? -1 : 1))) {
      const own = found.filter(({ practiceId }) => practiceId === chain);
      const submissions = own.map(({ taskId, at, as }) => ({ task: taskId, at: at.toISOString(), as }));
      const detail = { seen: { seq: seen.seq, hash: seen.hash }, there, submissions };
      await appendAudit(tx, { chain, actor, act: "audit.recovered", detail });
    }
    const names = chains.map(({ chain }) => chain);
    const detail = { chains: names.length, newLedger: isNewLedger, submissions: found.length, held, inquiries };
    await appendAudit(tx, { chain: serviceChain, actor, act: "audit.recovered", detail });
    await clearRecordStops(tx, names);
  });
}
