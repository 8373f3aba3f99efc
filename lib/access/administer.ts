import type { Context } from "./context.ts";
import { administers, reachesAny, reaches, type Actor } from "#lib/access/model/actor";
import { hasRecentProof } from "#lib/access/model/proof";
import { ok, refuse, type Result } from "#lib/platform/result";
import { appendAudit } from "#lib/audit/shared/append-audit";
import type { AdminAct, AuditEntry } from "#lib/audit/model/entry";
import { inTransaction, type Tx } from "#lib/db/db";
import { keepChannelVersion, keepVersion } from "#lib/access/shared/settings-versions";
import { stillAdministers } from "#lib/access/shared/still-administers";
import { channelOfChain } from "#lib/audit/model/channel-chain";
import { deny } from "./deny.ts";
import type { AdminRefusal } from "./refusal.ts";
import { now } from "#lib/platform/now";

/** The value that an act returns, and its audit entries; none where nothing changed. */
export type ActResult<Value> = {
  readonly value: Value;
  readonly chain: string;
  readonly entries: readonly Entry[];
};

export type Entry = {
  readonly act: AdminAct;
  readonly detail: AuditEntry["detail"];
  /** The case that it concerns, where it concerns one. */
  readonly taskId?: string | undefined;
  /** Set where an act writes to several chains. */
  readonly chain?: string;
};

/**
 * What an act concerns: one practice, every practice, or the practices of what it reads. For the last, the act itself
 * checks the actor's reach once it has read (`lockAdministeredChannel`, `lockAdministeredPerson`).
 */
export type AdminScope = { readonly practiceId: string } | "every-practice" | "what-it-reads";

type Act<Value> = (tx: Tx) => Promise<Result<ActResult<Value>, AdminRefusal>>;

/** Whether this actor is an administrator of what an act concerns. */
export function mayAdminister(actor: Actor, scope: AdminScope): boolean {
  const reach = administers(actor);
  if (scope === "what-it-reads") return reachesAny(reach);
  return scope === "every-practice" ? reach === "every" : reaches(reach, [scope.practiceId]);
}

/**
 * Runs one administrative act and writes its audit entries in the same transaction. An actor who is no administrator of
 * what it concerns gets `not-authorised` before anything is read, whether or not the practice exists; so does one who no
 * longer is when the transaction begins. An act refuses before it writes.
 */
export async function administer<Value>(
  { actor, store }: Context,
  scope: AdminScope,
  act: Act<Value>,
): Promise<Result<Value, AdminRefusal>> {
  if (!mayAdminister(actor, scope)) return deny({ actor, store }, "change");
  const administered = await inTransaction(store, async (tx) => {
    if (!(await mayStillAdminister(tx, actor, scope))) return "no-longer";
    const acted = await act(tx);
    if (!acted.ok) return acted;
    const { value, chain, entries } = acted.value;
    for (const entry of entries) await keepVersionOf(tx, actor, { chain, ...entry });
    // In the order of the chains: each chain stays locked, so two acts on the same chains never deadlock.
    const ordered = entries
      .map((entry) => ({ chain, ...entry }))
      .toSorted((one, other) => compare(one.chain, other.chain));
    for (const entry of ordered) await appendAudit(tx, { ...entry, actor });
    return ok(value);
  });
  return administered === "no-longer" ? deny({ actor, store }, "change") : administered;
}

/** Of what it reads, the act checks the reach that the session gave, so all of that must still hold. */
async function mayStillAdminister(tx: Tx, actor: Actor, scope: AdminScope): Promise<boolean> {
  if (actor.kind !== "person") return true;
  const reach = scope === "every-practice" ? "every" : administers(actor);
  const practices = typeof scope === "object" ? [scope.practiceId] : reach;
  return stillAdministers(tx, { personId: actor.id, practices });
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/**
 * The same for a sensitive act: a person must have proved who they are in the last ten minutes, or gets `proof-needed`.
 */
export async function administerProved<Value>(
  ctx: Context,
  scope: AdminScope,
  act: Act<Value>,
): Promise<Result<Value, AdminRefusal>> {
  if (mayAdminister(ctx.actor, scope) && needsProof(ctx.actor)) return refuse({ type: "proof-needed" });
  return administer(ctx, scope, act);
}

/**
 * Whether this actor needs a new proof of identity for a sensitive act. The operator does not: access to the machine is
 * the proof.
 */
export function needsProof(actor: Actor): boolean {
  return actor.kind === "person" && !hasRecentProof(actor, now());
}

/** Keeps a version of the practice, payer connection, payer or channel that an act changed; none where nothing changed. */
async function keepVersionOf(tx: Tx, actor: Actor, { chain, act, detail }: Entry & { chain: string }): Promise<void> {
  const { payer } = detail;
  const route = act === "route.set" || act === "route.line-of-business-set";
  if (route && typeof payer === "string")
    await keepVersion(tx, { practiceId: chain, subject: `route:${payer}`, actor, act });
  if (act.startsWith("payer.") && typeof payer === "string")
    await keepVersion(tx, { practiceId: chain, subject: `payer:${payer}`, actor, act });
  const channelId = channelOfChain(chain);
  if (channelId !== undefined) await keepChannelVersion(tx, { channelId, actor, act });
  if (act.startsWith("practice.")) await keepVersion(tx, { practiceId: chain, subject: "practice", actor, act });
}
