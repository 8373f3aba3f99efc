import { ok, refuse, type Result } from "#lib/platform/result";
import { inTransaction, type Store } from "#lib/db/db";
import { createSession, type ComesFrom } from "#lib/person/store/people";
import { clearFailures, recordWrongFactor } from "#lib/person/store/sign-in-failures";
import { takeTicket, ticketPerson } from "#lib/person/store/sign-in-tickets";
import { codeCounters, giveBackTry, signInCounters, takeTry } from "#lib/person/store/sign-in-tries";
import type { NewSession } from "#lib/person/session/begin-session";
import { checkCode } from "#lib/person/second-factor/check-code";
import { deviceOf } from "./known-device.ts";
import { ticketHash } from "./sign-in-ticket.ts";
import { noteDelayedTry } from "./delayed-tries.ts";

/**
 * `over`: the ticket expired, was used, or never existed. `wrong`: the code is wrong or was used, or the person has to
 * wait. `busy`: too many people are signing in; nothing was checked or counted.
 */
export type SecondStepRefusal = "over" | "wrong" | "busy";

/**
 * Begins the session of a person who passed the first step, with a code of their app or a recovery code. Of concurrent
 * calls with one code or one ticket, one succeeds. Wrong codes are counted apart from wrong passwords, which any
 * stranger can type.
 */
export async function finishSignIn(
  store: Store,
  { ticket, code, from }: { readonly ticket: string; readonly code: string; readonly from?: ComesFrom | undefined },
): Promise<Result<NewSession, SecondStepRefusal>> {
  const hash = ticketHash(ticket);
  const person = await ticketPerson(store, hash);
  if (!person) return refuse("over");
  const device = await deviceOf(store, { account: person.email, device: from?.device });
  const counters = codeCounters({ personId: person.id, device });
  const tried = await takeTry(store, counters);
  if (!tried) {
    noteDelayedTry(store, { personId: person.id, address: from?.address });
    return refuse("wrong");
  }
  const right = await checkCode(store, person.id, code);
  if (right === "busy") {
    await giveBackTry(store, tried);
    return refuse("busy");
  }
  const finished = await inTransaction(store, async (tx): Promise<Result<NewSession, SecondStepRefusal>> => {
    if (!right || !(await right.spend(tx))) return refuse("wrong");
    if (!(await takeTicket(tx, hash))) return refuse("over");
    await clearFailures(tx, [
      ...counters,
      ...signInCounters({ account: person.email, address: from?.address, device }),
    ]);
    const opened = { personId: person.id, issuer: person.issuer, by: right.kind, ...from };
    const { id: sessionId } = await createSession(tx, opened);
    return ok({ personId: person.id, sessionId });
  });
  if (!finished.ok && finished.refusal === "wrong") await recordWrongFactor(store, person.id);
  return finished;
}
