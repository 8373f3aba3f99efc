import { admit } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";

/** Who is asked for: nobody's key, so that nothing is found. */
const nobody = { keyId: "", secretHash: new Uint8Array(32) };
const noTask = "00000000-0000-0000-0000-000000000000";

/**
 * Asks the database what calls ask of it, in the statements they share: who calls, with a task and with a way to a payer,
 * the practices' keys, and a write that is committed. Fails where one of them does.
 */
export async function askReadiness(store: Store): Promise<void> {
  await Promise.all([
    admit(store, nobody, { taskId: noTask }),
    admit(store, nobody, { practiceId: "", payerId: "" }),
    store.keys.ready([]),
    store.pool.query({
      name: "readiness",
      text: `INSERT INTO readiness (id, asked_at) VALUES (1, clock_timestamp())
             ON CONFLICT (id) DO UPDATE SET asked_at = excluded.asked_at`,
    }),
  ]);
}
