import { clockOf } from "#lib/task/model/clock";
import { isOpen } from "#lib/task/model/case-states";
import type { Tx } from "#lib/db/db";
import { isOnConnection, routePayer } from "./route-payer.ts";

type Running = {
  id: string;
  urgent: boolean;
  received: Date;
  since: Date | null;
  zone: string;
  line: string | null;
  known: Date | null;
};

/**
 * Works out anew when payers must have decided, for the cases of a practice, or of one of its payer connections, whose clock
 * runs: after what their rule follows from was changed. Lists sort by it.
 */
export async function recountPayerClocks(
  tx: Tx,
  { practiceId, payerId }: { practiceId: string; payerId?: string },
): Promise<void> {
  const rows = await tx.$queryRawUnsafe<Running[]>(
    `
    SELECT t.id, coalesce(t.payer_urgent, t.urgent) AS urgent, t.payer_received_at AS received, t.payer_urgent_at AS since, t.payer_due_at AS known, p.time_zone AS zone,
           (SELECT r.line_of_business FROM route r WHERE r.practice_id = t.practice_id AND r.payer_id = ${routePayer("t")}
             ORDER BY r.version DESC LIMIT 1) AS line
      FROM task t JOIN practice p ON p.id = t.practice_id
     WHERE t.practice_id = $1 AND ${isOpen} AND ($2::text IS NULL OR ${isOnConnection("t", "$2")})
       AND t.payer_received_at IS NOT NULL AND t.decided_at IS NULL AND t.voided_at IS NULL`,
    practiceId,
    payerId ?? null,
  );
  const moved = rows.flatMap(({ id, urgent, received, since, zone, line, known }) => {
    const facts = { lineOfBusiness: line ?? undefined, urgent, receivedAt: received, zone, now: received };
    const clock = clockOf({ ...facts, urgentAt: since ?? undefined });
    const dueAt = clock.known ? clock.dueAt : null;
    return dueAt?.getTime() === known?.getTime() ? [] : [{ id, dueAt: dueAt?.toISOString() ?? null }];
  });
  if (moved.length === 0) return;
  const [ids, times] = [moved.map(({ id }) => id), moved.map(({ dueAt }) => dueAt)];
  await tx.$executeRaw`
    UPDATE task SET payer_due_at = moved.due_at
      FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS moved (id, due_at)
     WHERE task.id = moved.id AND task.payer_received_at IS NOT NULL AND task.decided_at IS NULL AND task.voided_at IS NULL`;
}
