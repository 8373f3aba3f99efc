import type { LedgerEntry } from "#simulator/core/ledger";
import type { Store } from "#lib/db/db";
import type { LoadRequest } from "./load.ts";
import { until } from "./service.ts";

/** What the senders, the database and the payer know, side by side. */
export type Comparison = {
  readonly acknowledged: number;
  /** Acknowledged, and not in the database. */
  readonly lost: number;
  /** Released, without those that are lost. */
  readonly released: number;
  readonly submitted: number;
  /** Came to the payer more than once. */
  readonly twice: number;
  /** Came to the payer although nobody tried to release it. */
  readonly unreleased: number;
  /** Released, and neither at the payer nor held again for a person. */
  readonly forgotten: number;
};

async function ledgerOf(payerUrl: string): Promise<readonly LedgerEntry[]> {
  const reply = await fetch(`${payerUrl}/control/ledger`);
  // Safe because the simulator is ours.
  const { requests } = (await reply.json()) as { requests: readonly LedgerEntry[] };
  return requests.filter(({ kind }) => kind !== "inquiry");
}

/** How often each member's request came to the payer. */
export async function arrivals(payerUrl: string): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const { memberId, times: some } of await ledgerOf(payerUrl))
    times.set(memberId, (times.get(memberId) ?? 0) + some);
  return times;
}

export async function compare(store: Store, payerUrl: string, sent: readonly LoadRequest[]): Promise<Comparison> {
  const acknowledged = sent.filter(({ taskId }) => taskId !== undefined);
  const { rows } = await store.pool.query<{ id: string; stage: string }>(
    "SELECT id::text, stage FROM task WHERE id = ANY ($1::uuid[])",
    [acknowledged.map(({ taskId }) => taskId)],
  );
  const stages = new Map(rows.map(({ id, stage }) => [id, stage]));
  const members = new Set(sent.map(({ member }) => member));
  const came = new Map([...(await arrivals(payerUrl))].filter(([member]) => members.has(member)));
  const released = acknowledged.filter(({ taskId = "", releasedAt }) => releasedAt !== undefined && stages.has(taskId));
  const tried = new Set(sent.filter(({ isReleaseTried }) => isReleaseTried).map(({ member }) => member));
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ taskId = "" }) => !stages.has(taskId)).length,
    released: released.length,
    submitted: came.size,
    twice: [...came.values()].filter((times) => times > 1).length,
    unreleased: [...came.keys()].filter((member) => !tried.has(member)).length,
    forgotten: released.filter(({ taskId = "", member }) => !came.has(member) && stages.get(taskId) !== "held").length,
  };
}

/** Waits until no release waits, and none is under way or in doubt. */
export function settled(store: Store, withinMs = 120_000): Promise<void> {
  const nothingWaits = async () => {
    const { rows } = await store.pool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM transmission WHERE phase IN ('released', 'submitting', 'unconfirmed')",
    );
    return rows[0]?.count === 0;
  };
  return until("the end of all submissions", nothingWaits, withinMs);
}
