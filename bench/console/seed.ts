import canonicalize from "canonicalize";
import pg from "pg";
import { v7 as uuidv7 } from "uuid";
import { revisionPlace, sealCalls } from "#lib/store/save-task";
import { openStore } from "#lib/store/db";
import { sealText, type Sealer } from "#lib/store/seal";
import { fullReview } from "#test/reviews";
import { payers, practices, type Desk } from "./desk.ts";

export type SeedSize = { readonly open: number; readonly closed: number };

const rowsPerStatement = 4_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The states cases are in, by their share in a thousand. */
const open = {
  "transmit-held": 300,
  "void-held": 10,
  "needs-information": 100,
  "transmit-released": 3,
  "transmit-unconfirmed": 3,
  transmitted: 524,
  "payer-needs-information": 60,
} as const;
const closed = { determined: 880, declined: 50, withdrawn: 40, voided: 20, failed: 10 } as const;

const taskColumns = {
  ...{ id: "uuid", practice_id: "text", payer_id: "text", state: "text", motion: "text", motion_end: "text" },
  ...{ gate_id: "uuid", holds: "text", determination_id: "uuid", voided: "text", needs_person: "text" },
  ...{ remark_by: "text", patient: "bytea", member_hash: "bytea", urgent: "boolean", due_at: "timestamptz" },
  ...{ payer_due_at: "timestamptz", assignee_id: "uuid", reference: "text", code: "text", at: "timestamptz" },
  ...{ changed_at: "timestamptz", received_at: "timestamptz", review: "bytea", calls: "bytea", document: "bytea" },
} as const;

type Row = { readonly [Name in keyof typeof taskColumns]: unknown };

/**
 * Fills an empty database with cases as the service itself would have written what lists and pages read: each with
 * its sealed review, those under way with their gate, decided ones with their determination. Indexes are made
 * afterwards, all at once, and the tables analysed.
 */
export async function seed(
  { ownerUrl, appUrl, sealingKey }: { ownerUrl: string; appUrl: string; sealingKey: string },
  desk: Desk,
  size: SeedSize,
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const store = openStore({ url: appUrl, sealingKey: Buffer.from(sealingKey, "base64"), connectionsMax: 2 });
  await store.keys.ready(practices);
  try {
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '256MB'");
    const indexes = await dropIndexes(client);
    for (let from = 0; from < size.open + size.closed; from += rowsPerStatement) {
      const count = Math.min(rowsPerStatement, size.open + size.closed - from);
      const rows = Array.from({ length: count }, (_, index) => aRow(store.sealer, desk, from + index, size));
      await insert(client, desk, rows);
    }
    for (const definition of indexes) await client.query(definition);
    await client.query("VACUUM (ANALYZE) task, gate, revision, determination");
  } finally {
    await client.end();
  }
}

async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relname IN ('task', 'gate', 'determination') AND NOT i.indisprimary`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  return rows.map(({ definition }) => definition);
}

/** Spread over the shares without chance, so that two seeds are alike. */
function stateAt<State extends string>(shares: Readonly<Record<State, number>>, n: number): State {
  let left = (n * 617) % 1000;
  for (const [state, share] of Object.entries<number>(shares)) {
    if (left < share) return state as State;
    left -= share;
  }
  throw new Error("The shares do not make a thousand.");
}

function aRow(sealer: Sealer, desk: Desk, n: number, size: SeedSize): Row {
  const isOpen = n >= size.closed;
  const state = isOpen ? stateAt(open, n) : stateAt(closed, n);
  const now = Date.now();
  const spread = (part: number, of: number) => (((n * 7919) % 10_007) / 10_007) * of * part;
  const at = new Date(
    isOpen ? now - spread(1, 12 * dayMs) - hourMs : now - 20 * dayMs - (1 - n / size.closed) * 700 * dayMs,
  );
  const id = uuidv7({ msecs: at.getTime() });
  const practiceId = (n % 2 === 0 ? practices[0] : practices[1 + (n % (practices.length - 1))]) ?? "";
  const held = state === "transmit-held" || state === "void-held";
  const under = held || state === "transmit-released" || state === "transmit-unconfirmed";
  const atPayer = state === "transmitted" || state === "payer-needs-information" || state === "void-held";
  const needsPerson =
    state === "transmit-unconfirmed" ? "unconfirmed" : n % 397 === 0 && isOpen ? "contact-payer" : null;
  const gateId = under ? uuidv7({ msecs: at.getTime() }) : null;
  const determinationId = state === "determined" ? uuidv7({ msecs: at.getTime() }) : null;
  const memberId = `BM${String(n % 400_000).padStart(7, "0")}`;
  const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId } };
  const ended = state === "declined" || state === "withdrawn" || state === "failed";
  return {
    ...{ id, practice_id: practiceId, payer_id: payers[n % payers.length], state, gate_id: gateId },
    motion: held
      ? "held"
      : state === "transmit-released"
        ? "released"
        : under
          ? "unconfirmed"
          : ended
            ? "ended"
            : "idle",
    motion_end: ended ? state : null,
    holds: atPayer || state === "determined" || state === "voided" ? "yes" : under && !held ? "maybe" : "no",
    ...{ determination_id: determinationId, voided: state === "voided" ? "by-us" : null, needs_person: needsPerson },
    remark_by: state === "needs-information" && n % 2 === 0 ? "reviewer" : null,
    patient: sealText(sealer, `Bench, Patient ${n}`, { table: "task", column: "patient", row: id, practiceId }),
    member_hash: sealer.memberHash(memberId, practiceId),
    urgent: n % 33 === 0,
    due_at: held || needsPerson ? new Date(now - 20 * hourMs + spread(1, 44 * hourMs)) : null,
    payer_due_at: atPayer && n % 5 !== 4 ? new Date(now - 2 * hourMs + spread(1, 14 * dayMs)) : null,
    assignee_id: isOpen && n % 10 < 3 ? (n % 10 === 0 ? desk.all.id : n % 10 === 2 ? desk.one.id : uuidv7()) : null,
    reference: state === "determined" || atPayer ? `REF-${n}` : null,
    code: `${70_000 + (n % 900)}`,
    at,
    changed_at: new Date(Math.min(now, at.getTime() + (isOpen ? hourMs : 9 * dayMs))),
    received_at: atPayer || state === "determined" ? at : null,
    review: sealer.seal(Buffer.from(canonicalize(review) ?? ""), revisionPlace(id, 1, practiceId)),
    calls: gateId ? sealCalls(sealer, { id: gateId, calls: [] }, practiceId) : null,
    document: determinationId
      ? sealText(sealer, decided, { table: "determination", column: "document", row: determinationId, practiceId })
      : null,
  };
}

const decided =
  canonicalize({
    ...{ outcome: "approved", reference: "REF-1", lines: [], notes: [], source: "connector" },
    authorizationNumber: "AUTH-1",
  }) ?? "";

/** One statement for as many cases as it is given. */
async function insert(client: pg.Client, { channelId }: Desk, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(taskColumns) as (keyof typeof taskColumns)[];
  const lists = names.map((name, index) => `$${index + 1}::${taskColumns[name]}[]`);
  const text = `
    WITH given AS MATERIALIZED (SELECT * FROM unnest(${lists.join(", ")}) AS lists (${names.join(", ")})), tasks AS (
      INSERT INTO task (id, short_id, practice_id, channel_id, context_id, payer_id, environment, motion, motion_end, gate_id,
                        holds, reference, determination_id, voided, revision, revision_digest, missing, attention,
                        remark_by, procedure_codes, patient, urgent, payer_received_at, payer_received_by, decided_at,
                        voided_at, state, needs_person, due_at, payer_due_at, assignee_id, member_hash, created_at, changed_at)
      SELECT id, right(id::text, 8), practice_id, '${channelId}', id, payer_id, 'test', motion, motion_end, gate_id,
             holds, reference, determination_id, voided, 1, repeat('0', 64), '{}',
             CASE WHEN needs_person = 'contact-payer' THEN needs_person END,
             remark_by, ARRAY[code], patient, urgent, received_at, CASE WHEN received_at IS NOT NULL THEN 'service' END,
             CASE WHEN determination_id IS NOT NULL THEN changed_at END,
             CASE WHEN voided IS NOT NULL THEN changed_at END, state, needs_person, due_at, payer_due_at, assignee_id,
             member_hash, at, changed_at FROM given
    ), revisions AS (
      INSERT INTO revision (task_id, number, practice_id, digest, service_review, created_at)
      SELECT id, 1, practice_id, repeat('0', 64), review, at FROM given
    ), gates AS (
      INSERT INTO gate (id, task_id, practice_id, action, is_update, by_hand, revision, digest, document_digests, calls,
                        route_version, connector, environment, warnings, status, opened_at, expires_at)
      SELECT gate_id, id, practice_id, CASE WHEN state = 'void-held' THEN 'void' ELSE 'transmit' END, false, false, 1,
             repeat('0', 64), '{}', calls, 1, 'manual', 'test', '{}', CASE WHEN motion = 'held' THEN 'open' ELSE 'released' END,
             at, at + interval '14 days' FROM given WHERE gate_id IS NOT NULL
    )
    INSERT INTO determination (id, task_id, practice_id, outcome, environment, document, decided_at, received_at)
    SELECT determination_id, id, practice_id, 'approved', 'test', document, changed_at, changed_at
      FROM given WHERE determination_id IS NOT NULL`;
  await client.query({ name: "seed", text, values: names.map((name) => rows.map((row) => row[name])) });
}
