import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { releaseAgeMaxMs } from "#lib/task/model/lifecycle/submission-decisions";
import type { Event } from "#lib/task/model/lifecycle/event";
import { type Gate, gateOf, stateOf, type Stage, type Task } from "#lib/task/model/task";
import type { ConnectorName } from "#lib/payer/model/destination";
import { connectors } from "#lib/payer/connectors";
import { loadRequester, loadStanding } from "#lib/submission/store/release-standing";
import type { Tx } from "#lib/db/db";
import type { Fence, FenceResult } from "#lib/db/fence";
import { loadFrozen, openCalls, type KeptCall } from "#lib/gate/shared/gates";
import { obstacleTo } from "#lib/gate/auto-release";
import { documentDigest, gateDigest } from "#lib/payer/digest";
import { changeTask, type Change, type LoadedTask } from "#lib/task/change";
import type { ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { currentRoute, openRevision, refreeze, rowAtGate } from "#lib/task/open-revision";
import type { Refusal } from "#lib/task/refusal";
import { filesToSend } from "#lib/task/revision-files";
import { reasons } from "#lib/messages/reasons/case";

/**
 * How long a claim lasts before another worker may take over: 90 seconds, more than the 60 that a submission may take.
 */
export const leaseMs = 90_000;

/** What the holder of a claim may send: exactly the frozen calls of the release. */
export type Claim = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly gateId: string;
  readonly attempt: number;
  readonly leaseUntil: Date;
  readonly routeId: string;
  readonly connector: ConnectorName;
  readonly calls: readonly KeptCall[];
};

/**
 * Claims a release for one attempt, after a last check that it may still be submitted: practice active, connection
 * unchanged, release recent, releasers still reviewers, channel still entitled, bytes unchanged. If a check fails, the
 * action is held again at a new gate with the reason, and there is no claim.
 */
export async function claimTransmission(
  ctx: Context<WorkerActor>,
  { taskId, fence, onWritten }: { taskId: string } & Fencing & TransmissionOptions,
): Promise<Result<Claim | "held-again", Refusal>> {
  const decide = async (loaded: LoadedTask): Promise<Result<Change<Claim>, Refusal>> => {
    const { task } = loaded;
    if (task.stage.kind !== "released") return refuse({ type: "not-claimable", state: stateOf(task) });
    // Asked together, they go in one round trip, and each still sees what was committed before it.
    const readings = [fenceOf(loaded, fence), preflightFailure(loaded), frozenOf(loaded)] as const;
    const [fenced, failure, frozen] = await Promise.all(readings);
    if (!fenced.isTrusted) return refuse({ type: "record-stopped" });
    const objection = failure ?? releasedElsewhere(loaded, fenced);
    return ok(
      objection ? await holdAgain(loaded, objection) : await take(loaded, task.stage, { type: "claim", frozen }),
    );
  };
  const changed = await changeTask<Claim>(ctx, { taskId, practices: "every" }, decide, {
    onWritten: (events) => events.some(({ type }) => type === "transmission.claimed") && onWritten?.(),
    isShared: true,
  });
  return changed.ok ? ok(changed.value.value ?? "held-again") : changed;
}

/**
 * Claims a submission of unknown outcome for one more attempt with the same bytes. Only if the connection declares that
 * its payer recognizes a repeated request, and under every condition of a first claim. If one is not met, nothing
 * changes: the payer may have it, so no gate can hold it, and a person settles it.
 */
export async function claimAgain(
  ctx: Context<WorkerActor>,
  { taskId, fence }: { taskId: string } & Fencing,
): Promise<Result<Claim, Refusal>> {
  const changed = await changeTask<Claim>(ctx, { taskId, practices: "every" }, async (loaded) => {
    const { task } = loaded;
    const refusal = refuse({ type: "not-claimable", state: stateOf(task) } as const);
    if (task.stage.kind !== "unconfirmed") return refusal;
    const { connector, settings } = (await routeAtGate(loaded)).destination;
    const honoured = connectors[connector].honoursIdentity?.(settings) === true;
    const fenced = await fenceOf(loaded, fence);
    if (!fenced.isTrusted) return refuse({ type: "record-stopped" });
    if (!honoured || (await preflightFailure(loaded)) || releasedElsewhere(loaded, fenced)) return refusal;
    return ok(await take(loaded, task.stage, { type: "claim-again", frozen: await frozenOf(loaded) }));
  });
  if (!changed.ok) return changed;
  assert(changed.value.value, "what was claimed again has its claim");
  return ok(changed.value.value);
}

type TransmissionOptions = {
  /** Called when the change is written, before the commit. */
  readonly onWritten?: (() => void) | undefined;
};

type StartOptions = TransmissionOptions & {
  /** What the submission needs beside, read along with what is checked. If it fails, nothing starts. */
  readonly beside?: ((tx: Tx) => Promise<void>) | undefined;
};

type Fencing = {
  /** What is known of the database from the ledger outside it. Every submission to a payer has one. */
  readonly fence?: Fence | undefined;
};

/** Whether this transaction's database is the known one, and its audit log is complete. */
async function fenceOf({ tx, row }: LoadedTask, fence: Fence | undefined): Promise<FenceResult> {
  if (row.record_stopped) return { isTrusted: false };
  return (await fence?.(tx, row.practice_id)) ?? { isTrusted: true, heldBefore: new Date(0) };
}

/** A release from before the database was replaced may have been undone or withdrawn in the other one. */
function releasedElsewhere({ task: { stage } }: LoadedTask, fenced: FenceResult): PreflightFailure | undefined {
  const isBefore = fenced.isTrusted && "releasedAt" in stage && stage.releasedAt <= fenced.heldBefore;
  return isBefore ? { reason: reasons.databaseReplaced, channelLost: false } : undefined;
}

type Waiting = Extract<Stage, { kind: "released" | "unconfirmed" }>;

/** The lease on the next attempt, with the bytes it may send. */
async function take(
  loaded: LoadedTask,
  { gate, attempt: before }: Waiting,
  { type, frozen }: { readonly type: "claim" | "claim-again"; readonly frozen: FrozenGate },
): Promise<Change<Claim>> {
  const { row } = loaded;
  const attempt = before + 1;
  const leaseUntil = new Date(row.now.getTime() + leaseMs);
  const of = { taskId: row.id, practiceId: row.practice_id, attempt, leaseUntil };
  return {
    commands: [type === "claim" ? { type, by: "worker", leaseUntil } : { type, leaseUntil }],
    detail: { gate: gate.digest, gateId: gate.id, attempt },
    value: { ...(await frozenCalls(loaded, frozen)), ...of },
  };
}

export type PreflightFailure = { readonly reason: string; readonly channelLost: boolean };

/** Why a release may no longer be submitted. Undefined if it may. */
export async function preflightFailure(loaded: LoadedTask): Promise<PreflightFailure | undefined> {
  const { tx, row, task } = loaded;
  const { stage } = task;
  const isReleased = stage.kind === "released" || stage.kind === "submitting" || stage.kind === "unconfirmed";
  assert(isReleased, "only a release is checked before it leaves");
  const { action } = stage.gate;
  const atom = action === "void" ? "prior_auth_void" : "prior_auth_intake";
  const gate = { taskId: row.id, gateId: stage.gate.id, practiceId: row.practice_id };
  const channelId = await requesterOf(loaded, stage.gate);
  // The standing is asked for first: the connection is read once whoever may change it has to wait.
  const readings = [loadStanding(tx, { ...gate, channelId, atom }), routeAtGate(loaded)] as const;
  const [standing, { destination }] = await Promise.all(readings);
  const no = (reason: string) => ({ reason, channelLost: false });
  if (!standing.practiceActive) return no(reasons.practiceSuspended);
  if (destination.routeId !== (row.gate_route_id ?? "")) return no(reasons.connectionChangedSince);
  if (row.now.getTime() - stage.releasedAt.getTime() > releaseAgeMaxMs) return no(reasons.releaseTooOld);
  if (standing.release === undefined) return no(reasons.releaserLostRole);
  const obstacle = standing.release === "automatic" ? await obstacleTo(loaded, gate.gateId) : undefined;
  if (obstacle !== undefined) return no(reasons.noAutoRelease(obstacle));
  if (!standing.channelEntitled && !row.adopted_by) {
    return { reason: reasons.channelLostAccess, channelLost: true };
  }
  return undefined;
}

/** The channel whose access counts: that of the case, unless another one asked for its void or for a change of it. */
async function requesterOf({ tx, row }: LoadedTask, { action, revision }: Gate): Promise<string> {
  if (action === "transmit" && revision === 1) return row.channel_id;
  const of = { taskId: row.id, practiceId: row.practice_id, action, revision };
  return (await loadRequester(tx, of)) ?? row.channel_id;
}

/** The payer connection as it is now, of what the gate is about. */
async function routeAtGate({ tx, row, task }: LoadedTask): Promise<ResolvedRoute> {
  const isVoid = gateOf(task)?.action === "void";
  return isVoid ? (await openRevision(tx, rowAtGate(row, task))).route : currentRoute(tx, row);
}

/** Holds the action again at a new gate without votes, with the reason. */
export async function holdAgain(loaded: LoadedTask, { reason, channelLost }: PreflightFailure): Promise<Change<never>> {
  const gate = gateOf(loaded.task);
  assert(gate, "only what stands at a gate is held again");
  const { prepared, missing } = await refreeze(loaded.tx, loaded.row, { action: gate.action });
  return {
    commands: [{ type: "hold-again", reason, attention: channelLost ? "channel-revoked" : undefined }],
    prepared,
    missing,
    detail: { gateId: gate.id, reason, gate: prepared?.gate.digest ?? null },
  };
}

type FrozenGate = Awaited<ReturnType<typeof loadFrozen>>;

async function frozenOf({ tx, row }: LoadedTask): Promise<FrozenGate> {
  assert(row.gate_id, "a release has its gate");
  return loadFrozen(tx, { gateId: row.gate_id, practiceId: row.practice_id });
}

/** The bytes of the release, checked against their digest. */
async function frozenCalls(
  { tx, row }: LoadedTask,
  gate: FrozenGate,
): Promise<Pick<Claim, "gateId" | "routeId" | "connector" | "calls">> {
  const calls = await openCalls(tx, gate);
  const named = calls.map((call) => ({ ...call, documentDigest: documentDigest(call.body) }));
  const { action } = gate;
  // The digest below covers the list, so one that is not empty would be missed.
  const hasNone = gate.revision === row.revision && row.attachment_count === 0;
  const files = hasNone ? [] : await filesToSend(tx, row, { action, revision: gate.revision });
  const digest = gateDigest({
    taskId: row.id,
    action,
    revision: gate.revision,
    environment: gate.environment,
    routeVersion: gate.routeVersion,
    calls: named,
    attachments: files.map(({ sha256 }) => sha256),
  });
  assert(digest === gate.digest, "the frozen calls are those the released digest names");
  return { gateId: gate.id, routeId: gate.routeId ?? "", connector: gate.connector, calls };
}

/**
 * Commits that the first byte is about to be sent. If a right was taken away since the claim, the release goes back to
 * waiting, unsent, and the next claim holds it again. Refused if the lease has lapsed or another attempt has the
 * submission; then nothing may be sent.
 */
export async function startTransmission(
  ctx: Context<WorkerActor>,
  { taskId, attempt, fence, onWritten, beside }: Pick<Claim, "taskId" | "attempt"> & Fencing & StartOptions,
): Promise<Result<"started" | "taken-back", Refusal>> {
  const decide = async (loaded: LoadedTask): Promise<Result<Change, Refusal>> => {
    const { row, task } = loaded;
    const isClaimed = task.stage.kind === "submitting";
    const check = async () => (isClaimed ? preflightFailure(loaded) : undefined);
    const read = async () => beside?.(loaded.tx);
    const [fenced, failure] = await Promise.all([fenceOf(loaded, fence), check(), read()]);
    if (!fenced.isTrusted) return refuse({ type: "record-stopped" });
    const objection = isClaimed ? (failure ?? releasedElsewhere(loaded, fenced)) : undefined;
    const detail = { gateId: row.gate_id, attempt };
    if (!objection) return ok({ commands: [{ type: "start", attempt }], detail });
    const { reason } = objection;
    const commands = [{ type: "record-not-sent", attempt, reason, retryAt: row.now } as const];
    return ok({ commands, detail: { ...detail, reason } });
  };
  const isStart = (events: readonly Event[]) => events.some(({ type }) => type === "transmission.started");
  const changed = await changeTask(ctx, { taskId, practices: "every" }, decide, {
    onWritten: (events) => isStart(events) && onWritten?.(),
    isShared: true,
  });
  if (!changed.ok) return changed;
  return ok(isStart(changed.value.events) ? "started" : "taken-back");
}

/**
 * Takes back a claim whose lease ran out. If nothing was sent, it is submitted again; if something may have been, its
 * outcome is unknown.
 */
export async function lapseTransmission(ctx: Context<WorkerActor>, { taskId }: { taskId: string }) {
  return changeTask(ctx, { taskId, practices: "every" }, async ({ row, task }) =>
    ok({
      commands: [{ type: "lapse" }],
      detail: { gateId: row.gate_id, attempt: row.attempt },
      writes: { answer: "lapsed", ...(mayHaveArrived(task) ? { poll: { at: row.now, count: 0 } } : {}) },
    }),
  );
}

function mayHaveArrived({ stage }: Task): boolean {
  return stage.kind === "submitting" && (stage.started || stage.again === true);
}
