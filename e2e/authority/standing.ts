import type { Stack } from "../fixtures/stack.ts";

/** What statistics, clocks and records of refusals write beside any act; everything else is compared. */
const beside = {
  tables: [
    "channel_minute",
    "channel_denial",
    "channel_call",
    "person_denial",
    "call_allowance",
    "call_room",
    "sign_in_failure",
    "audit_chain",
    "presence",
    "readiness",
  ],
  columns: ["last_used_at", "seen_at"],
  acts: ["channel.denied", "person.denied", "person.sign-in-failed"],
};

export type Standing = Readonly<Record<string, string>>;

/** A digest of each table's rows, so that two of them tell what an act changed. */
export async function standingOf({ operator }: Stack): Promise<Standing> {
  const { pool } = operator.store;
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind = 'r' AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1`,
  );
  const parts = tables
    .filter(({ name }) => !beside.tables.includes(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(line, '' ORDER BY line), '')) AS digest
           FROM (SELECT md5((to_jsonb(t) - $1::text[])::text) AS line FROM "${name}" t
                  ${name === "audit_entry" ? "WHERE act <> ALL ($2::text[])" : ""}) lines`,
    );
  const { rows } = await pool.query<{ name: string; digest: string }>(
    `WITH given AS (SELECT $2::text[]) ${parts.join(" UNION ALL ")}`,
    [beside.columns, beside.acts],
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** The tables that are not as they were. */
export function changedBetween(before: Standing, after: Standing): readonly string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}
