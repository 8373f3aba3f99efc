import type { Pool } from "pg";
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

/** By table, which versions of its rows there were when it was last digested, and what came of it. */
type TableDigests = Map<string, { readonly versions: string; readonly digest: string }>;

const digestsBy = new WeakMap<Stack, TableDigests>();

/** A digest of each table's rows, so that two of them tell what an act changed. */
export async function standingOf(stack: Stack): Promise<Standing> {
  const { pool } = stack.operator.store;
  const known: TableDigests = digestsBy.get(stack) ?? new Map();
  digestsBy.set(stack, known);
  const versions = await versionsOf(pool);
  // Most acts write to few tables, and to digest all the others each time takes most of the test's.
  const due = versions.filter((table) => known.get(table.name)?.versions !== table.versions);
  const parts = due.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(line, '' ORDER BY line), '')) AS digest
         FROM (SELECT md5((to_jsonb(t) - $1::text[])::text) AS line FROM "${name}" t
                ${name === "audit_entry" ? "WHERE act <> ALL ($2::text[])" : ""}) lines`,
  );
  if (parts.length > 0) {
    const { rows } = await pool.query<{ name: string; digest: string }>(
      `WITH given AS (SELECT $2::text[]) ${parts.join(" UNION ALL ")}`,
      [beside.columns, beside.acts],
    );
    const digests = new Map(rows.map(({ name, digest }) => [name, digest]));
    for (const { name, versions: its } of due) known.set(name, { versions: its, digest: digests.get(name) ?? "" });
  }
  return Object.fromEntries(versions.map(({ name }) => [name, known.get(name)?.digest ?? ""]));
}

/** What no write leaves as it was: each puts a row, with the number of its transaction, where no other version stands. */
async function versionsOf(pool: Pool): Promise<readonly { readonly name: string; readonly versions: string }[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind = 'r' AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1`,
  );
  const parts = tables
    .filter(({ name }) => !beside.tables.includes(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, count(*) || ' ' || coalesce(sum(hashtidextended(ctid, xmin::text::bigint)), 0) AS versions
           FROM "${name}"`,
    );
  // Named, so that each connection plans it once: that takes longer than to answer it.
  const { rows } = await pool.query<{ name: string; versions: string }>({
    name: "versions",
    text: parts.join(" UNION ALL "),
  });
  return rows;
}

/** The tables that are not as they were. */
export function changedBetween(before: Standing, after: Standing): readonly string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}
