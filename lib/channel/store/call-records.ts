import type { Atom } from "#lib/access/model/actor";
import type { DenialRule } from "#lib/channel/model/authority";
import type { Store } from "#lib/db/db";
import { acrossPractices } from "#lib/db/for-practices";

/** How many denials of a channel are kept in full. */
const denialsMax = 200;

/** How many calls of a channel are kept, which is as many as are shown. */
export const callsMax = 25;

export type MinuteCount = {
  readonly channelId: string;
  readonly minute: Date;
  readonly calls: number;
  readonly denied: number;
};

export type Denial = {
  /** That of the request, by which its caller and the log name it, where it has one. */
  readonly id: string;
  readonly channelId: string;
  readonly at: Date;
  readonly rule: DenialRule;
  readonly atom: Atom | undefined;
  /** Only the id of an existing practice: nothing else that a caller wrote is kept. */
  readonly practiceId: string | undefined;
  readonly taskId: string | undefined;
  readonly keyId: string | undefined;
  readonly address: string | undefined;
};

/** A call that was let in and answered: with a task, or with an error. Nothing of what it said but its method. */
export type ListedCall = {
  /** That of the request, by which its caller and the log name it. */
  readonly id: string;
  readonly channelId: string;
  readonly at: Date;
  /** Undefined for one that is not served. */
  readonly method: string | undefined;
  readonly atom: Atom | undefined;
  readonly taskId: string | undefined;
  readonly code: number | undefined;
  readonly http: number;
  readonly ms: number;
};

/** Adds to the counts. All processes add to the same rows in one order, so that they never deadlock. */
export async function addMinutes({ pool }: Store, minutes: readonly MinuteCount[]): Promise<void> {
  await pool.query({
    name: "add-minutes",
    text: `
      INSERT INTO channel_minute AS m (channel_id, minute, calls, denied)
      SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[]) AS given (channel_id, minute, calls, denied)
       ORDER BY channel_id, minute
      ON CONFLICT (channel_id, minute) DO UPDATE
        SET calls = m.calls + excluded.calls, denied = m.denied + excluded.denied`,
    values: [
      minutes.map(({ channelId }) => channelId),
      minutes.map(({ minute }) => minute),
      minutes.map(({ calls }) => calls),
      minutes.map(({ denied }) => denied),
    ],
  });
}

/** Records when each key was last used. */
export async function markUsed({ pool }: Store, used: ReadonlyMap<string, Date>): Promise<void> {
  await pool.query({
    name: "mark-used",
    text: `
      UPDATE channel_key k SET last_used_at = given.at
        FROM (SELECT * FROM unnest($1::text[], $2::timestamptz[]) AS lists (id, at) ORDER BY id) given
       WHERE k.id = given.id AND (k.last_used_at IS NULL OR k.last_used_at < given.at)`,
    values: [[...used.keys()], [...used.values()]],
  });
}

/** Keeps the newest denials of each channel and deletes older ones. */
export async function keepDenials(store: Store, denials: readonly Denial[]): Promise<void> {
  if (denials.length === 0) return;
  const { pool } = acrossPractices(store, "denied-calls");
  await pool.query({
    name: "keep-denials",
    text: `
      INSERT INTO channel_denial (id, channel_id, at, rule, atom, practice_id, task_id, key_id, address)
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::uuid[],
                           $8::text[], $9::inet[])
      ON CONFLICT DO NOTHING`,
    values: [
      denials.map(({ id }) => id),
      denials.map(({ channelId }) => channelId),
      denials.map(({ at }) => at),
      denials.map(({ rule }) => rule),
      denials.map(({ atom }) => atom ?? null),
      denials.map(({ practiceId }) => practiceId ?? null),
      denials.map(({ taskId }) => taskId ?? null),
      denials.map(({ keyId }) => keyId ?? null),
      denials.map(({ address }) => address ?? null),
    ],
  });
  await pool.query({
    name: "forget-denials",
    text: `
      DELETE FROM channel_denial d
       USING (SELECT DISTINCT unnest($1::uuid[]) AS channel_id) given
       WHERE d.channel_id = given.channel_id
         AND (d.at, d.id) < (SELECT at, id FROM channel_denial WHERE channel_id = given.channel_id
                              ORDER BY at DESC, id DESC OFFSET ${denialsMax - 1} LIMIT 1)`,
    values: [denials.map(({ channelId }) => channelId)],
  });
}

/** Keeps the newest calls of each channel and deletes older ones, but for those that another process is deleting. */
export async function keepCalls({ pool }: Store, calls: readonly ListedCall[]): Promise<void> {
  if (calls.length === 0) return;
  await pool.query({
    name: "keep-calls",
    text: `
      INSERT INTO channel_call (id, channel_id, at, method, atom, task_id, code, http, ms)
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::uuid[], $7::int[],
                           $8::int[], $9::int[])
      ON CONFLICT DO NOTHING`,
    values: [
      calls.map(({ id }) => id),
      calls.map(({ channelId }) => channelId),
      calls.map(({ at }) => at),
      calls.map(({ method }) => method ?? null),
      calls.map(({ atom }) => atom ?? null),
      calls.map(({ taskId }) => taskId ?? null),
      calls.map(({ code }) => code ?? null),
      calls.map(({ http }) => http),
      calls.map(({ ms }) => ms),
    ],
  });
  await pool.query({
    name: "forget-calls",
    text: `
      DELETE FROM channel_call WHERE id IN (
        SELECT c.id FROM (SELECT DISTINCT unnest($1::uuid[]) AS channel_id) given
          JOIN channel_call c ON c.channel_id = given.channel_id
         WHERE (c.at, c.id) < (SELECT at, id FROM channel_call WHERE channel_id = given.channel_id
                                ORDER BY at DESC, id DESC OFFSET ${callsMax - 1} LIMIT 1)
           FOR UPDATE OF c SKIP LOCKED)`,
    values: [calls.map(({ channelId }) => channelId)],
  });
}
