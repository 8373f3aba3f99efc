import { atoms } from "#lib/access/model/actor";
import { knownWord } from "#lib/platform/known-word";
import { denialRules } from "#lib/channel/model/authority";
import type { Denial, ListedCall } from "./call-records.ts";
import type { Store } from "#lib/db/db";

export type HourCount = { readonly hour: Date; readonly calls: number; readonly denied: number };

export type DenialRecord = Omit<Denial, "channelId">;

export type CallRecord = Omit<ListedCall, "channelId">;

/** Calls and denials of a channel in each hour of the last `days`, oldest first; no hour is left out. */
export async function loadHours(
  { pool }: Store,
  { channelId, days }: { channelId: string; days: number },
): Promise<readonly HourCount[]> {
  const { rows } = await pool.query<HourCount>({
    name: "channel-hours",
    text: `
      SELECT hour, coalesce(sum(m.calls), 0)::int AS calls, coalesce(sum(m.denied), 0)::int AS denied
        FROM generate_series(date_trunc('hour', now()) - make_interval(hours => $2::int * 24 - 1), date_trunc('hour', now()), '1 hour') hour
        LEFT JOIN channel_minute m
          ON m.channel_id = $1::uuid AND m.minute >= hour AND m.minute < hour + interval '1 hour'
       GROUP BY hour ORDER BY hour`,
    values: [channelId, days],
  });
  return rows;
}

/** The newest denials of a channel, newest first. */
export async function loadDenials(store: Store, channelId: string, most: number): Promise<readonly DenialRecord[]> {
  const rows = await store.prisma.channelDenial.findMany({
    where: { channelId },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: most,
  });
  return rows.map(({ id, at, rule, atom, practiceId, taskId, keyId, address }) => ({
    id,
    at,
    rule: knownWord(denialRules, rule, "channel_denial.rule"),
    atom: atom === null ? undefined : knownWord(atoms, atom, "channel_denial.atom"),
    practiceId: practiceId ?? undefined,
    taskId: taskId ?? undefined,
    keyId: keyId ?? undefined,
    address: address ?? undefined,
  }));
}

/** The newest calls of a channel that were kept, newest first. */
export async function loadCalls({ prisma }: Store, channelId: string, most: number): Promise<readonly CallRecord[]> {
  const rows = await prisma.channelCall.findMany({
    where: { channelId },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: most,
  });
  return rows.map(({ id, at, method, atom, taskId, code, http, ms }) => ({
    ...{ id, at, http, ms },
    method: method ?? undefined,
    atom: atom === null ? undefined : knownWord(atoms, atom, "channel_call.atom"),
    taskId: taskId ?? undefined,
    code: code ?? undefined,
  }));
}

/** Those of these ids that are cases of these practices. */
export async function casesIn(
  { prisma }: Store,
  practices: readonly string[],
  taskIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const where = { id: { in: [...taskIds] }, practiceId: { in: [...practices] } };
  const rows = taskIds.length === 0 ? [] : await prisma.task.findMany({ where, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}
