// oxlint-disable-next-line no-restricted-imports -- the owner's login, which lib/store never has
import pg from "pg";

/**
 * What only the demo does, and only to the database it made itself: emptying a
 * half-made one, and moving its cases into the past. Never the audit record or
 * the receipts of a finished one: they say when things were truly written.
 */
export type OwnDatabase = {
  readonly isEmpty: () => Promise<boolean>;
  readonly empty: () => Promise<void>;
  readonly moveBack: (cases: readonly { readonly taskId: string; readonly hours: number }[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openOwnDatabase(url: string): Promise<OwnDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    isEmpty: async () => (await client.query("SELECT FROM practice LIMIT 1")).rowCount === 0,
    empty: () => empty(client),
    moveBack: (cases) => moveBack(client, cases),
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

/** When things happened to a case, table by table; what the payer dates itself it was told in the past already. */
const instants = [
  ["task", "id", ["created_at", "changed_at", "due_at", "payer_due_at"]],
  ["revision", "task_id", ["created_at"]],
  ["message", "task_id", ["created_at"]],
  ["gate", "task_id", ["opened_at", "expires_at", "decided_at"]],
  ["transmission", "task_id", ["released_at", "claimable_at", "started_at", "answered_at"]],
  ["payer_event", "task_id", ["received_at"]],
  ["determination", "task_id", ["received_at"]],
] as const;

/** What somebody may have dated themselves: it is moved only where it is no earlier than what it follows on. */
const told = [
  ["task", "id", "created_at", ["sent_at", "payer_received_at", "decided_at", "voided_at"]],
  ["transmission", "task_id", "released_at", ["sent_at"]],
] as const;

/** After the others were moved, so that only an instant that was not is later than what it follows on by so much. */
async function moveBackTold(client: pg.Client, values: readonly unknown[]): Promise<void> {
  for (const [table, id, since, columns] of told) {
    const hours = "make_interval(secs => past.hours * 3600)";
    const moved = columns.map(
      (column) => `${column} = CASE WHEN ${column} >= ${since} + ${hours} THEN ${column} - ${hours} ELSE ${column} END`,
    );
    await client.query(
      `UPDATE ${table} SET ${moved.join(", ")}
         FROM unnest($1::uuid[], $2::float8[]) AS past (task_id, hours) WHERE ${table}.${id} = past.task_id`,
      [...values],
    );
  }
}

async function moveBack(client: pg.Client, cases: Parameters<OwnDatabase["moveBack"]>[0]): Promise<void> {
  const values = [cases.map(({ taskId }) => taskId), cases.map(({ hours }) => hours)];
  await client.query("BEGIN");
  for (const [table, id, columns] of instants) {
    const moved = columns.map((column) => `${column} = ${column} - make_interval(secs => past.hours * 3600)`);
    await client.query(
      `UPDATE ${table} SET ${moved.join(", ")}
         FROM unnest($1::uuid[], $2::float8[]) AS past (task_id, hours) WHERE ${table}.${id} = past.task_id`,
      values,
    );
  }
  await moveBackTold(client, values);
  await client.query(
    `UPDATE vote SET at = at - make_interval(secs => past.hours * 3600)
       FROM gate, unnest($1::uuid[], $2::float8[]) AS past (task_id, hours)
      WHERE gate.id = vote.gate_id AND gate.task_id = past.task_id`,
    values,
  );
  await client.query("COMMIT");
}
