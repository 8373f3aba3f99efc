import { z } from "zod";
import { hashInTurn } from "#lib/person/sign-in/password";
import { isOwnPassword } from "#lib/person/sign-in/prove-session";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPerson, savePassword } from "#lib/person/store/admin-people";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/store/audit";
import { inTransaction, type Store } from "#lib/db/db";
import { loadGrants } from "#lib/person/store/grants";
import { findLink, holdLink, removeLink, type LinkRecord } from "#lib/person/store/password-links";
import { personActor, personById } from "#lib/person/store/people";
import { hasSecondFactor } from "#lib/person/store/second-factors";
import { endSessionsOf } from "#lib/person/store/sessions";
import { clearFailures } from "#lib/person/store/sign-in-failures";
import { signInCounters } from "#lib/person/store/sign-in-tries";
import { isPasswordShut } from "#lib/person/store/sso-only";
import { lacksProof } from "#lib/access/administer";
import { checked, nameText } from "#lib/access/checked";
import { peopleChain } from "./create-person.ts";
import { isStillGiven } from "./link-giver.ts";
import { hashLinkToken } from "./password-link.ts";
import { passwordProblem } from "./password-rule.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/** Whom a link is for. */
export type OpenedLink = {
  readonly email: string;
  readonly name: string;
  readonly isInvitation: boolean;
  /** A practice of theirs lets people in through the provider alone, so that a password would open nothing. */
  readonly isPasswordShut: boolean;
};

/**
 * `gone`: it was used or withdrawn, a newer one took its place, its person may do more since, its giver could not give it
 * any more, or there never was such a link.
 */
type LinkRefusal = { readonly type: "link-over" } | { readonly type: "link-gone" };

type Chosen = OpenedLink & { readonly personId: string };

type ChoiceRefusal = AdminRefusal | LinkRefusal | { readonly type: "password-shut" };

/** Looks at a link and uses nothing up. It works as long as whoever gave it could give it now. */
export async function openLink(store: Store, token: string): Promise<Result<OpenedLink, LinkRefusal>> {
  const found = await findLink(store, hashLinkToken(token));
  if (!found || found.isOver) return refuse({ type: linkProblem(found) });
  const { personId, email, name, status } = found;
  const person = await loadGrants(store.prisma, personId);
  if (!(await isStillGiven(store.prisma, found, person))) return refuse({ type: "link-gone" });
  const isShut = await isPasswordShut(store, personId);
  return ok({ email, name, isInvitation: status === "invited", isPasswordShut: isShut });
}

/** What is wrong with a link that does not work. */
export function linkProblem(link: LinkRecord | undefined): "link-over" | "link-gone" {
  return link?.isOver ? "link-over" : "link-gone";
}

export const nameSchema = z.object({ name: nameText });

/**
 * Chooses a password by a link, and a name where it is an invitation. The link is used up, by one alone of several at
 * once, and every session of the person ends. Whoever gave it is still an admin of everything the person may do now.
 */
export async function acceptLink(
  store: Store,
  { token, name: given, password }: { readonly token: string; readonly name: string; readonly password: string },
): Promise<Result<Chosen, ChoiceRefusal>> {
  const tokenHash = hashLinkToken(token);
  const link = await findLink(store, tokenHash);
  const opened = await openLink(store, token);
  if (!opened.ok) return opened;
  if (!link) return refuse({ type: "link-gone" });
  if (opened.value.isPasswordShut) return refuse({ type: "password-shut" });
  const { email, isInvitation } = opened.value;
  const named = isInvitation ? checked(nameSchema, { name: given }) : ok({ name: link.name });
  if (!named.ok) return named;
  const problem = await passwordProblem(password, { email });
  if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "password", problem }] });
  const hashed = await hashInTurn(password);
  if (!hashed.ok) return refuse({ type: "busy" });
  const passwordHash = hashed.value;
  const { personId } = link;
  const taken = await inTransaction(store, async (tx) => {
    const person = await lockPerson(tx, { id: personId });
    const held = await holdLink(tx, tokenHash);
    if (!held || !person || person.status === "disabled" || !(await isStillGiven(tx, held, person))) return false;
    await removeLink(tx, personId);
    const { givenBy: letInBy } = held;
    await savePassword(tx, personId, { passwordHash, name: named.value.name, status: "active", letInBy });
    const actor = personActor(personId);
    const detail = { person: personId, sessionsEnded: await endSessionsOf(tx, { personId }) };
    const act = isInvitation ? "person.joined" : "person.password-chosen";
    await appendAudit(tx, { chain: peopleChain, actor, act, detail });
    return true;
  });
  if (!taken) return refuse({ type: "link-gone" });
  await clearFailures(store, signInCounters({ account: email }));
  announce(store, "people", personId);
  return ok({ ...opened.value, name: named.value.name, personId });
}

/**
 * Changes one's own password, for the one in use; every other session ends. Of somebody with a second factor the
 * password is no proof, so theirs has to be new.
 */
export async function changeOwnPassword(
  { actor, store }: Context<PersonActor>,
  { sessionId, present, password }: { sessionId: string; present: string; password: string },
): Promise<Result<{ sessionsEnded: number }, AdminRefusal>> {
  if (lacksProof(actor) && (await hasSecondFactor(store, actor.id))) return refuse({ type: "proof-needed" });
  const person = await personById(store, actor.id);
  const problem = await passwordProblem(password, { email: person?.email ?? "" });
  if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "password", problem }] });
  const own = await isOwnPassword(store, { personId: actor.id, sessionId }, present);
  if (own === "busy") return refuse({ type: "busy" });
  if (!own) return refuse({ type: "invalid", issues: [{ field: "present", problem: "is not right, or has to wait" }] });
  const hashed = await hashInTurn(password);
  if (!hashed.ok) return refuse({ type: "busy" });
  const passwordHash = hashed.value;
  const sessionsEnded = await inTransaction(store, async (tx) => {
    await lockPerson(tx, { id: actor.id });
    await savePassword(tx, actor.id, { passwordHash });
    const ended = await endSessionsOf(tx, { personId: actor.id, except: sessionId });
    const detail = { person: actor.id, sessionsEnded: ended };
    await appendAudit(tx, { chain: peopleChain, actor, act: "person.password-chosen", detail });
    return ended;
  });
  announce(store, "people", actor.id);
  return ok({ sessionsEnded });
}
