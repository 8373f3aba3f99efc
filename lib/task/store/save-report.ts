import canonicalize from "canonicalize";
import { query } from "#lib/db/db";
import { sealBytes, sealText } from "#lib/db/sealed";
import { lastAuthorizedDay, reasonCodes, type Determination } from "#lib/task/model/determination";
import type { LoadedTask } from "./load-task.ts";
import { numberTokens } from "./numbered-cases.ts";

type NewDetermination = {
  readonly id: string;
  readonly determination: Determination;
  /** The payer's own instant, as it gave it. */
  readonly decidedAt: Date | undefined;
  readonly environment: "live" | "test";
  /** The determination this one takes the place of. */
  readonly supersedes: string | undefined;
  /** The revision of the request that it answers. */
  readonly revision: number | undefined;
};

type NewPayerEvent = {
  readonly id: string;
  readonly kind: string;
  readonly digest: string;
  readonly payload: Uint8Array | undefined;
  readonly payerAt?: Date | undefined;
  readonly unread?: boolean | undefined;
};

type Where = Pick<LoadedTask, "tx" | "row">;

/**
 * Keeps what the payer said and, with it, what it decided; the determination that this one supersedes stays. The numbers of
 * the determination are known at once, not only once the worker has read of them in the audit log. False when the same was
 * kept before: then there is nothing new to record.
 */
export async function insertReport(
  { tx, row }: Where,
  event: NewPayerEvent,
  determination?: NewDetermination,
): Promise<boolean> {
  const of = { row: event.id, practiceId: row.practice_id };
  const { payload, payerAt = null } = event;
  const sealed = payload ? sealBytes(tx, "payer_event.payload", of, payload) : null;
  const unread = event.unread === true && payload !== undefined;
  const values: unknown[] = [
    ...[event.id, row.id, row.practice_id, row.gate_id, event.kind, event.digest, sealed, payerAt, row.now, unread],
  ];
  const decided = determination ? determinationPart({ tx, row }, determination, values) : "";
  const kept = await query<{ id: string }>(tx, {
    text: `${decided}
     INSERT INTO payer_event (id, task_id, practice_id, gate_id, kind, digest, payload, payer_at, received_at, handled_at, unread)
     VALUES ($1::uuid, $2::uuid, $3, $4::uuid, $5, $6, $7::bytea, $8::timestamptz, $9::timestamptz, $9::timestamptz, $10::boolean)
         ON CONFLICT DO NOTHING RETURNING id`,
    values,
  });
  return kept.length > 0;
}

function determinationPart({ tx, row }: Where, made: NewDetermination, values: unknown[]): string {
  const { id, determination, decidedAt = null, environment, supersedes = null, revision = null } = made;
  const of = { row: id, practiceId: row.practice_id };
  const document = sealText(tx, "determination.document", of, canonicalize(determination) ?? "");
  const tokens = numberTokens(tx, row, determination);
  const ends = endOf(determination);
  const decided = [id, determination.outcome, environment, document, decidedAt, supersedes, revision];
  values.push(...decided, ends, [...reasonCodes(determination)], tokens);
  return `
    WITH decided AS (
      INSERT INTO determination (id, task_id, practice_id, outcome, environment, document, decided_at, received_at, supersedes,
                                 revision, valid_to, reasons)
      VALUES ($11::uuid, $2::uuid, $3, $12, $13, $14::bytea, $15::timestamptz, $9::timestamptz, $16::uuid, $17::int, $18::date, $19::text[])),
    numbered AS (
      INSERT INTO case_token (practice_id, token, task_id)
      SELECT $3, token, $2::uuid FROM unnest($20::bytea[]) AS n (token) ON CONFLICT DO NOTHING)`;
}

/** The last day of an authorization, where the payer named a whole day. Postgres has no year 0. */
function endOf(determination: Determination): string | null {
  const last = lastAuthorizedDay(determination) ?? "";
  const day = /^\d{4}-\d{2}-\d{2}$/.test(last) ? new Date(`${last}T00:00:00Z`) : undefined;
  return day && day.getUTCFullYear() >= 1900 ? day.toISOString().slice(0, 10) : null;
}
