import type pg from "pg";

/** Makes the first entries of a chain so many days old, hashes and all. */
export async function ageEntries(
  superuser: pg.Client,
  { chain, count, days }: { readonly chain: string; readonly count: number; readonly days: number },
): Promise<void> {
  await superuser.query("ALTER TABLE audit_entry DISABLE TRIGGER USER");
  await superuser.query("UPDATE audit_entry SET at = at - make_interval(days => $3) WHERE chain = $1 AND seq <= $2", [
    chain,
    count,
    days,
  ]);
  const { rows } = await superuser.query<{ seq: string }>("SELECT seq FROM audit_entry WHERE chain = $1 ORDER BY seq", [
    chain,
  ]);
  for (const { seq } of rows) {
    await superuser.query(
      `UPDATE audit_entry a SET content_hash = audit_content_hash(salt, at, actor, act, task_id, detail),
              prev_hash = coalesce((SELECT hash FROM audit_entry b WHERE b.chain = a.chain AND b.seq = a.seq - 1), '') WHERE chain = $1 AND seq = $2`,
      [chain, seq],
    );
    await superuser.query(
      "UPDATE audit_entry SET hash = audit_link_hash(prev_hash, chain, seq, content_hash) WHERE chain = $1 AND seq = $2",
      [chain, seq],
    );
  }
  await superuser.query("ALTER TABLE audit_entry ENABLE TRIGGER USER");
}
