import { z } from "zod";
import { hashInTurn } from "#lib/person/sign-in/password";
import { isOwnPassword } from "#lib/person/sign-in/prove-session";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPerson, savePassword } from "#lib/person/store/admin-people";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction, type Store } from "#lib/db/db";
import { loadGrants } from "#lib/person/store/grants";
import { findLink, lockLink, removeLink, type LinkRecord } from "#lib/person/store/password-links";
import { personActor, personById } from "#lib/person/store/people";
import { hasSecondFactor } from "#lib/person/store/second-factors";
import { endSessionsOf } from "#lib/person/store/sessions";
import { clearFailures } from "#lib/person/store/sign-in-failures";
import { signInCounters } from "#lib/person/store/sign-in-tries";
import { isPasswordShut } from "#lib/person/store/sso-only";
import { needsProof } from "#lib/access/administer";
import { validate, nameText } from "#lib/access/validate";
import { accountProblems } from "#lib/messages/problems/account";
import { peopleChain } from "./create-person.ts";
import { isStillAuthorized } from "./is-still-authorized.ts";
import { hashLinkToken } from "./password-link.ts";
import { passwordProblem } from "./password-rule.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/** The person of a link. */
export type OpenedLink = {
  readonly email: string;
  readonly name: string;
  readonly isInvitation: boolean;
  /** A practice of theirs requires single sign-on, so a password would open nothing. */
  readonly isPasswordShut: boolean;
};

/**
 * `link-over`: the link expired. `link-gone`: it was used or withdrawn, a newer one replaced it, its person has more
 * roles by now, the administrator who gave it could not give it any more, or it never existed.
 */
type LinkRefusal = { readonly type: "link-over" } | { readonly type: "link-gone" };

type AcceptedLink = OpenedLink & { readonly personId: string };

/** Why no password was chosen by a link. */
export type ChoiceRefusal = AdminRefusal | LinkRefusal | { readonly type: "password-shut" };

/** Reads a link without using it up. It is valid as long as the administrator who gave it could give it now. */
export async function openLink(store: Store, token: string): Promise<Result<OpenedLink, LinkRefusal>> {
  const found = await findLink(store, hashLinkToken(token));
  if (!found || found.isOver) return refuse({ type: linkProblem(found) });
  const { personId, email, name, status } = found;
  const person = await loadGrants(store.prisma, personId);
  if (!(await isStillAuthorized(store.prisma, found, person))) return refuse({ type: "link-gone" });
  const isShut = await isPasswordShut(store, personId);
  return ok({ email, name, isInvitation: status === "invited", isPasswordShut: isShut });
}

/** Why a link does not work. */
export function linkProblem(link: LinkRecord | undefined): "link-over" | "link-gone" {
  return link?.isOver ? "link-over" : "link-gone";
}

export const nameSchema = z.object({ name: nameText });

/**
 * Sets a password by a link, and the name where the link is an invitation. The link is used up, by one of several
 * concurrent callers, and every session of the person ends. The administrator who gave the link must still administer
 * everything the person may do.
 */
export async function acceptLink(
  store: Store,
  { token, name: given, password }: { readonly token: string; readonly name: string; readonly password: string },
): Promise<Result<AcceptedLink, ChoiceRefusal>> {
  const tokenHash = hashLinkToken(token);
  const link = await findLink(store, tokenHash);
  const opened = await openLink(store, token);
  if (!opened.ok) return opened;
  if (!link) return refuse({ type: "link-gone" });
  if (opened.value.isPasswordShut) return refuse({ type: "password-shut" });
  const { email, isInvitation } = opened.value;
  const named = isInvitation ? validate(nameSchema, { name: given }) : ok({ name: link.name });
  if (!named.ok) return named;
  const problem = await passwordProblem(password, { email });
  if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "password", problem }] });
  const hashed = await hashInTurn(password);
  if (!hashed.ok) return refuse({ type: "busy" });
  const passwordHash = hashed.value;
  const { personId } = link;
  const taken = await inTransaction(store, async (tx) => {
    const person = await lockPerson(tx, { id: personId });
    const held = await lockLink(tx, tokenHash);
    if (!held || !person || person.status === "disabled" || !(await isStillAuthorized(tx, held, person))) return false;
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
 * Changes one's own password, given the current one. Every other session ends. A person with a second factor needs a
 * new proof of identity, because for them the password alone is none.
 */
export async function changeOwnPassword(
  { actor, store }: Context<PersonActor>,
  { sessionId, present, password }: { sessionId: string; present: string; password: string },
): Promise<Result<{ sessionsEnded: number }, AdminRefusal>> {
  if (needsProof(actor) && (await hasSecondFactor(store, actor.id))) return refuse({ type: "proof-needed" });
  const person = await personById(store, actor.id);
  const problem = await passwordProblem(password, { email: person?.email ?? "" });
  if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "password", problem }] });
  const own = await isOwnPassword(store, { personId: actor.id, sessionId }, present);
  if (own === "busy") return refuse({ type: "busy" });
  if (!own) return refuse({ type: "invalid", issues: [{ field: "present", problem: accountProblems.wrongPassword }] });
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
