import pg from "pg";

/** Columns of a copied task that are not its specimen's. `n` counts the copies, `made` is when one was opened. */
const own: Readonly<Record<string, string>> = {
  id: "made.id",
  short_id: "right(made.id::text, 8)",
  context_id: "gen_random_uuid()",
  reference: "'R' || n",
  procedure_codes: "ARRAY['C' || n % 1000]",
  member_hash: "decode(md5((n / 3)::text), 'hex')",
  // Sealed for the specimen's row alone.
  patient: "NULL",
  remark: "NULL",
  recourse: "NULL",
  information_request: "NULL",
  sent_at: "made.at + interval '1 hour'",
  payer_received_at: "made.at + interval '1 hour'",
  decided_at: "made.at + interval '2 days'",
  created_at: "made.at",
  changed_at: "made.at + interval '2 days'",
  closed_at: "made.at + interval '2 days'",
};

/** The last seven years, and ids as `newId` makes them. */
const copies = `
  generate_series($2::bigint, $3::bigint) n,
  LATERAL (SELECT now() - interval '7 years' + n * interval '1 second' * $4::float8 AS at) opened,
  LATERAL (SELECT opened.at, (lpad(to_hex((extract(epoch FROM opened.at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid AS id) made`;

const chunk = 250_000;

type Filling = { readonly specimen: string; readonly from: number; readonly to: number; readonly most: number };

/**
 * Copies a closed case by SQL: its task, its message and its code, as many times as wanted. What else belongs to a case is
 * not copied. The indexes of those tables are made anew afterwards, all but the keys.
 */
export async function fillClosed(url: string, { specimen, from, to, most }: Filling): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Triggers would look at each row, which is right already.
    await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '1GB'");
    const { rows: columns } = await client.query<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'task' AND table_schema = 'public'",
    );
    const names = columns.map(({ name }) => name);
    const values = names.map((name) => own[name] ?? `t.${name}`);
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made FROM pg_index i
        WHERE i.indrelid IN ('task'::regclass, 'message'::regclass, 'closed_code'::regclass) AND NOT i.indisprimary`,
    );
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    const step = (7 * 365 * 86_400) / most;
    for (let at = from + 1; at <= to; at += chunk) {
      const range = [specimen, at, Math.min(to, at + chunk - 1), step];
      await client.query(
        `INSERT INTO task (${names.join(", ")}) SELECT ${values.join(", ")} FROM task t, ${copies} WHERE t.id = $1`,
        range,
      );
      await client.query(
        `INSERT INTO message (id, task_id, practice_id, channel_id, message_id, content_digest, revision, body, created_at)
         SELECT made.id, made.id, m.practice_id, m.channel_id, gen_random_uuid()::text, m.content_digest, 1, '\\x02', made.at
           FROM message m, ${copies} WHERE m.task_id = $1`,
        range,
      );
      await client.query(
        `INSERT INTO closed_code (task_id, code, practice_id, changed_at)
         SELECT made.id, 'C' || n % 1000, t.practice_id, made.at + interval '2 days' FROM task t, ${copies} WHERE t.id = $1`,
        range,
      );
    }
    for (const { made } of indexes) await client.query(made);
    await client.query("VACUUM (ANALYZE) task");
    await client.query("VACUUM (ANALYZE) message");
    await client.query("VACUUM (ANALYZE) closed_code");
    await client.query("CHECKPOINT");
  } finally {
    await client.end();
  }
}
