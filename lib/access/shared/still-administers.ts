import type { Reach } from "#lib/access/model/actor";
import { query, type Tx } from "#lib/db/db";

const text = `
  SELECT 1 FROM person p
   WHERE p.id = $1::uuid AND (p.status <> 'active' OR (
     'admin' <> ALL (p.everywhere || p.everywhere_by_group) AND ($2::text[] IS NULL OR EXISTS (
       SELECT FROM unnest($2::text[]) asked (practice_id) WHERE NOT EXISTS (
         SELECT FROM person_role r
          WHERE r.person_id = p.id AND r.role = 'admin' AND r.practice_id = asked.practice_id)))))`;

/**
 * Whether a person still administers these practices, as the transaction sees it. Their session was read before it began,
 * and they may have been deactivated or have lost a role since.
 */
export async function stillAdministers(
  tx: Tx,
  { personId, practices }: { readonly personId: string; readonly practices: Reach },
): Promise<boolean> {
  const values = [personId, practices === "every" ? null : practices];
  return (await query(tx, { name: "still-administers", text, values })).length === 0;
}
