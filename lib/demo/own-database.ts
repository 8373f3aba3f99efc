import pg from "pg";
import type { Store } from "#lib/db/db";
import type { CaseAges } from "./case-ages.ts";
import { moveEventsBack } from "./moved-events.ts";

/**
 * Operations that only the demo uses, on its own database: emptying an incomplete one, and dating its cases back. The audit
 * log and the receipts of a finished one keep their true times.
 */
export type OwnDatabase = {
  readonly isEmpty: () => Promise<boolean>;
  readonly empty: () => Promise<void>;
  readonly moveBack: (cases: readonly CaseAges[], store: Store) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openOwnDatabase(url: string): Promise<OwnDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    isEmpty: async () => (await client.query("SELECT FROM practice LIMIT 1")).rowCount === 0,
    empty: () => empty(client),
    moveBack: (cases, store) => moveBack(client, cases, store),
    close: () => client.end(),
  };
}

const neverChanged = ["audit_entry", "decision_receipt"];

async function empty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
  );
  const tables = rows.map(({ name }) => pg.escapeIdentifier(name)).join(", ");
  await client.query(
    [
      "BEGIN",
      ...neverChanged.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
      `TRUNCATE ${tables}`,
      ...neverChanged.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
      "COMMIT",
    ].join(";\n"),
  );
}

/** By how much an instant is dated back: of the last event, of the submission, of the beginning. */
const by = {
  end: hours("past.hours"),
  sent: hours("past.hours + past.took"),
  begin: hours("past.hours + past.took + past.waited"),
} as const;

/** In whole seconds, as the events are dated back. */
function hours(sum: string): string {
  return `make_interval(secs => round((${sum}) * 3600))`;
}

/** The instants of a case by table. The payer's own dates are already in the past, because its clock was set back. */
const instants = [
  ["task", "id", { created_at: by.begin, changed_at: by.end, due_at: by.end, payer_due_at: by.end }],
  ["revision", "task_id", { created_at: by.begin }],
  ["message", "task_id", { created_at: by.begin }],
  [
    "gate",
    "task_id",
    {
      opened_at: `CASE WHEN decided_at IS NULL THEN ${by.end} ELSE ${by.begin} END`,
      expires_at: by.end,
      decided_at: by.sent,
    },
  ],
  [
    "transmission",
    "task_id",
    { released_at: by.sent, claimable_at: by.sent, started_at: by.sent, answered_at: by.end },
  ],
  ["payer_event", "task_id", { received_at: by.end }],
  ["determination", "task_id", { received_at: by.end }],
] as const;

/** Instants that a person may have dated; they are dated back fully only if they are not before the event that they follow. */
const dated = [
  ["task", "id", "created_at", { sent_at: "took", payer_received_at: "took", decided_at: "0", voided_at: "0" }],
  ["transmission", "task_id", "released_at", { sent_at: "took" }],
] as const;

const from = "unnest($1::uuid[], $2::float8[], $3::float8[], $4::float8[]) AS past (task_id, hours, took, waited)";

/** Runs after the other instants were moved, so that one that is not moved yet is recognized by its distance from them. */
async function moveBackDated(client: pg.Client, values: readonly unknown[]): Promise<void> {
  for (const [table, id, since, columns] of dated) {
    const moved = Object.entries(columns).map(
      ([column, took]) =>
        `${column} = ${column} - CASE WHEN ${column} >= ${since} + ${by.end} THEN ${by.end} ELSE interval '0' END
                             - ${took === "0" ? "interval '0'" : hours(`past.${took}`)}`,
    );
    await client.query(`UPDATE ${table} SET ${moved.join(", ")} FROM ${from} WHERE ${table}.${id} = past.task_id`, [
      ...values,
    ]);
  }
}

async function moveBack(client: pg.Client, cases: readonly CaseAges[], store: Store): Promise<void> {
  const values = [
    cases.map(({ taskId }) => taskId),
    cases.map(({ hours: ago }) => ago),
    cases.map(({ tookHours }) => tookHours),
    cases.map(({ waitedHours }) => waitedHours),
  ];
  await client.query("BEGIN");
  for (const [table, id, columns] of instants) {
    const moved = Object.entries(columns).map(([column, shift]) => `${column} = ${column} - ${shift}`);
    await client.query(
      `UPDATE ${table} SET ${moved.join(", ")} FROM ${from} WHERE ${table}.${id} = past.task_id`,
      values,
    );
  }
  await moveBackDated(client, values);
  await client.query(
    `UPDATE vote SET at = at - ${by.sent} FROM gate, ${from}
      WHERE gate.id = vote.gate_id AND gate.task_id = past.task_id`,
    values,
  );
  await moveEventsBack(client, cases, store);
  await client.query("COMMIT");
}
