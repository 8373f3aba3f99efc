import { recordEndedDenials } from "#lib/access/shared/person-denials";
import type { Store } from "#lib/db/db";
import { purgeSessions } from "#lib/person/store/sessions";
import { forgetSignIns } from "#lib/person/store/sign-in-failures";
import { forgetOfferedTotps } from "#lib/person/store/totp";

/** Deletes expired sign-in failures, sessions and new authenticator secrets, and records the counts of denials whose interval has ended. */
export async function sweepSignIns(store: Store): Promise<void> {
  await forgetSignIns(store);
  await purgeSessions(store);
  await forgetOfferedTotps(store);
  await recordEndedDenials(store);
}
