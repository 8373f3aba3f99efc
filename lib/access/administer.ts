import type { Context } from "./context.ts";
import { administers, reachesAny, reaches, type Actor } from "#lib/access/model/actor";
import { isProved } from "#lib/access/model/proof";
import { ok, refuse, type Result } from "#lib/platform/result";
import { appendAudit, type AdminAct, type AuditEntry } from "#lib/audit/store/audit";
import { inTransaction, type Tx } from "#lib/db/db";
import { keepChannelVersion, keepVersion } from "#lib/access/store/settings-versions";
import { channelOfChain } from "#lib/audit/model/channel-chain";
import { denied } from "./denied.ts";
import type { AdminRefusal } from "./refusal.ts";
import { now } from "#lib/platform/now";

/** What an act came to, and what the record says of it. No entries where there was nothing to do. */
export type ActResult<Value> = {
  readonly value: Value;
  readonly chain: string;
  readonly entries: readonly Entry[];
};

export type Entry = {
  readonly act: AdminAct;
  readonly detail: AuditEntry["detail"];
  /** Where one act concerns several chains. */
  readonly chain?: string;
};

/**
 * What an act concerns: one practice; the whole service; or something whose practices are only known once it was read,
 * which the act itself then asks about (`administeredChannel`, `administeredPerson`).
 */
export type AdminScope = { readonly practiceId: string } | "every-practice" | "what-it-reads";

type Act<Value> = (tx: Tx) => Promise<Result<ActResult<Value>, AdminRefusal>>;

/** Whether this actor is an admin of what an act concerns. */
export function mayAdminister(actor: Actor, scope: AdminScope): boolean {
  const reach = administers(actor);
  if (scope === "what-it-reads") return reachesAny(reach);
  return scope === "every-practice" ? reach === "every" : reaches(reach, [scope.practiceId]);
}

/**
 * Runs one administrative act for an admin of what it concerns, with its audit
 * entries in the same transaction. Anyone else is `not-authorised` before
 * anything is read, whether or not there is such a practice. An act refuses
 * before it writes.
 */
export async function administer<Value>(
  { actor, store }: Context,
  scope: AdminScope,
  act: Act<Value>,
): Promise<Result<Value, AdminRefusal>> {
  if (!mayAdminister(actor, scope)) return denied({ actor, store }, "change");
  return inTransaction(store, async (tx) => {
    const acted = await act(tx);
    if (!acted.ok) return acted;
    const { value, chain, entries } = acted.value;
    for (const entry of entries) await keepVersionOf(tx, actor, { chain, ...entry });
    // In the order of the chains, each of which stays locked: two acts on the same ones wait, and never lock each other up.
    const ordered = entries
      .map((entry) => ({ chain, ...entry }))
      .toSorted((one, other) => compare(one.chain, other.chain));
    for (const entry of ordered) await appendAudit(tx, { ...entry, actor });
    return ok(value);
  });
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** The same for what is sensitive: it takes a person's proof of the last ten minutes of who they are. */
export async function administerProved<Value>(
  ctx: Context,
  scope: AdminScope,
  act: Act<Value>,
): Promise<Result<Value, AdminRefusal>> {
  if (mayAdminister(ctx.actor, scope) && lacksProof(ctx.actor)) return refuse({ type: "proof-needed" });
  return administer(ctx, scope, act);
}

/** Whether what is sensitive has to wait for a new proof of who they are; the operator proves it by being there. */
export function lacksProof(actor: Actor): boolean {
  return actor.kind === "person" && !isProved(actor, now());
}

/** Whatever changes a practice, a route or a channel leaves a version of it; where it is as it was, none is kept. */
async function keepVersionOf(tx: Tx, actor: Actor, { chain, act, detail }: Entry & { chain: string }): Promise<void> {
  const { payer } = detail;
  const route = act === "route.set" || act === "route.line-of-business-set";
  if (route && typeof payer === "string")
    await keepVersion(tx, { practiceId: chain, subject: `route:${payer}`, actor, act });
  const channelId = channelOfChain(chain);
  if (channelId !== undefined) await keepChannelVersion(tx, { channelId, actor, act });
  if (act.startsWith("practice.")) await keepVersion(tx, { practiceId: chain, subject: "practice", actor, act });
}
