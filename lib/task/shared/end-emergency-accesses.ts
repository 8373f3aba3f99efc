import type { Tx } from "#lib/db/db";

/** Ends every access to a case of the practice that is open. */
export async function endEmergencyAccesses(tx: Tx, practiceId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE emergency_access SET expires_at = clock_timestamp()
     WHERE practice_id = ${practiceId} AND expires_at > clock_timestamp()`;
}
