import type { Store } from "#lib/db/db";

/** What an installation has so far; the first practice, and whether it has what a first request needs. */
export type Installation = {
  readonly practice?: { readonly id: string; readonly name: string } | undefined;
  /** The name of a payer that the practice has a connection to. */
  readonly payer?: string | undefined;
  readonly hasReviewer: boolean;
  readonly channelId?: string | undefined;
  readonly hasRequest: boolean;
};

export async function loadInstallation(store: Store): Promise<Installation> {
  const { rows } = await store.pool.query<{
    id: string | null;
    name: string | null;
    payer: string | null;
    has_reviewer: boolean;
    channel_id: string | null;
    has_request: boolean;
  }>(
    `SELECT p.id, p.name,
            (SELECT coalesce(r.payer_name, r.payer_id) FROM route r WHERE r.practice_id = p.id ORDER BY r.created_at LIMIT 1) AS payer,
            EXISTS (SELECT FROM person_role pr WHERE pr.practice_id = p.id AND pr.role = 'reviewer') AS has_reviewer,
            (SELECT cp.channel_id FROM channel_practice cp WHERE cp.practice_id = p.id LIMIT 1) AS channel_id,
            EXISTS (SELECT FROM task) AS has_request
       FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT id, name FROM practice ORDER BY created_at, id LIMIT 1) p ON true`,
  );
  const [row] = rows;
  if (!row) throw new Error("A statement of facts gives one row.");
  return {
    practice: row.id !== null && row.name !== null ? { id: row.id, name: row.name } : undefined,
    payer: row.payer ?? undefined,
    hasReviewer: row.has_reviewer,
    channelId: row.channel_id ?? undefined,
    hasRequest: row.has_request,
  };
}
