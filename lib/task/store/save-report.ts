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

/** What the payer said, and with it what it decided. */
export type KeptReport = { readonly event: NewPayerEvent; readonly determination?: NewDetermination | undefined };

/** Gives a parameter its place. */
type Place = (value: unknown) => string;

/**
 * Keeps what the payer said and, with it, what it decided; the determination that this one supersedes stays. False when the
 * same was kept before: then there is nothing new to record.
 */
export async function insertReport(where: Where, report: KeptReport): Promise<boolean> {
  const values: unknown[] = [];
  const parts = reportParts(where, report, (value) => `$${values.push(value)}`);
  const kept = await query<{ id: string }>(where.tx, {
    text: `WITH ${parts.join(", ")} SELECT id FROM reported`,
    values,
  });
  return kept.length > 0;
}

/**
 * The parts of a statement that keep a report, once for each row that it follows from, or once in any case. The numbers of
 * the determination are known at once, not only once the worker has read of them in the audit log.
 */
export function reportParts(
  { tx, row }: Where,
  { event, determination }: KeptReport,
  place: Place,
  after?: "changed",
): readonly string[] {
  const of = { row: event.id, practiceId: row.practice_id };
  const { payload, payerAt = null } = event;
  const sealed = payload ? sealBytes(tx, "payer_event.payload", of, payload) : null;
  const unread = event.unread === true && payload !== undefined;
  const [task, practice, now] = [`${place(row.id)}::uuid`, place(row.practice_id), `${place(row.now)}::timestamptz`];
  const [id, gate] = [`${place(event.id)}::uuid`, `${place(row.gate_id)}::uuid`];
  const [kind, digest, bytes] = [place(event.kind), place(event.digest), `${place(sealed)}::bytea`];
  const [at, isUnread] = [`${place(payerAt)}::timestamptz`, `${place(unread)}::boolean`];
  const eventPart = `reported AS (
      INSERT INTO payer_event (id, task_id, practice_id, gate_id, kind, digest, payload, payer_at, received_at, handled_at, unread)
      SELECT ${id}, ${task}, ${practice}, ${gate}, ${kind}, ${digest}, ${bytes}, ${at}, ${now}, ${now}, ${isUnread}
        ${after ? `FROM ${after}` : ""} ON CONFLICT DO NOTHING RETURNING id)`;
  if (!determination) return [eventPart];
  const places = { task, practice, now };
  return [eventPart, ...determinationParts({ tx, row }, determination, { place, places, after })];
}

type Parts = {
  readonly place: Place;
  readonly places: Readonly<Record<"task" | "practice" | "now", string>>;
  readonly after: "changed" | undefined;
};

function determinationParts(
  { tx, row }: Where,
  made: NewDetermination,
  { place, places: { task, practice, now }, after }: Parts,
): readonly string[] {
  const { id, determination, decidedAt = null, environment, supersedes = null, revision = null } = made;
  const of = { row: id, practiceId: row.practice_id };
  const document = sealText(tx, "determination.document", of, canonicalize(determination) ?? "");
  const tokens = numberTokens(tx, row, determination);
  const columns = [
    ...[`${place(id)}::uuid`, task, practice, place(determination.outcome), place(environment)],
    ...[`${place(document)}::bytea`, `${place(decidedAt)}::timestamptz`, now, `${place(supersedes)}::uuid`],
    ...[`${place(revision)}::int`, `${place(endOf(determination))}::date`],
    `${place([...reasonCodes(determination)])}::text[]`,
  ];
  return [
    `decided AS (
      INSERT INTO determination (id, task_id, practice_id, outcome, environment, document, decided_at, received_at, supersedes,
                                 revision, valid_to, reasons)
      SELECT ${columns.join(", ")} ${after ? `FROM ${after}` : ""})`,
    `numbered AS (
      INSERT INTO case_token (practice_id, token, task_id)
      SELECT ${practice}, token, ${task} FROM unnest(${place(tokens)}::bytea[]) AS n (token) ${after ? `CROSS JOIN ${after}` : ""}
          ON CONFLICT DO NOTHING)`,
  ];
}

/** The last day of an authorization, where the payer named a whole day. Postgres has no year 0. */
function endOf(determination: Determination): string | null {
  const last = lastAuthorizedDay(determination) ?? "";
  const day = /^\d{4}-\d{2}-\d{2}$/.test(last) ? new Date(`${last}T00:00:00Z`) : undefined;
  return day && day.getUTCFullYear() >= 1900 ? day.toISOString().slice(0, 10) : null;
}
