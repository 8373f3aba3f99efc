import { acceptLink } from "#lib/person/choose-password";
import { changeGrants } from "#lib/person/change-grants";
import { createPerson } from "#lib/person/create-person";
import { disablePerson } from "#lib/person/disable-person";
import { enablePerson } from "#lib/person/enable-person";
import { endSessions } from "#lib/person/end-sessions";
import { invitePerson } from "#lib/person/invite-person";
import { linkPerson, unlinkPerson } from "#lib/person/link-person";
import { mapGroup, unmapGroup } from "#lib/person/map-group";
import { renewLink } from "#lib/person/renew-link";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { withdrawInvitation } from "#lib/person/withdraw-invitation";
import { beginSession, beginSignIn } from "#lib/person/session/begin-session";
import { finishSignIn } from "#lib/person/sign-in/finish-sign-in";
import type { Self } from "#lib/person/second-factor/own-factors";
import { renamePasskey } from "#lib/person/second-factor/own-passkeys";
import { remakeRecoveryCodes } from "#lib/person/second-factor/own-recovery-codes";
import { beginTotp, confirmTotp, removeTotp } from "#lib/person/second-factor/own-totp";
import { hashPassword } from "#lib/person/sign-in/password";
import { proveSession } from "#lib/person/sign-in/prove-session";
import { issueTicket } from "#lib/person/sign-in/sign-in-ticket";
import { signInBySso } from "#lib/person/sso/sso-sign-in";
import type { AdminAct, RecordAct } from "#lib/audit/model/entry";
import type { Store } from "#lib/db/db";
import { everyKind } from "#lib/person/model/notification";
import { saveNotificationChoice } from "#lib/person/store/notification-choice";
import { revokeSession } from "#lib/person/store/people";
import { sessionActor } from "#lib/person/shared/live-session";
import { done, fresh, linkOf, operator } from "#test/support/people/admin";
import { aPerson, aPractice } from "#test/support/cases/cases";
import { showingCode } from "#test/support/people/totp";
import type { Preparation } from "./given.ts";

type PeopleAct = Exclude<Extract<AdminAct | RecordAct, `${"person" | "group"}.${string}`>, "person.denied">;

const admin = (store: Store) => ({ actor: operator, store });
const password = "wander tulip 9 kettle";
const hashed = hashPassword(password);
export const anEmail = () => `${fresh("person")}@clinic.example`;

export const peopleActs: Readonly<Record<PeopleAct, Preparation>> = {
  "person.created": async (store) => {
    const practices = [await aPractice(store)];
    return () => createPerson(admin(store), { email: anEmail(), roles: ["reviewer"], practices, password });
  },
  "person.changed": async (store) => {
    const { id, practiceId } = await somebody(store);
    return () => changeGrants(admin(store), { id, add: [{ role: "auditor", practiceId }] });
  },
  "person.invited": async (store) => {
    const practiceId = await aPractice(store);
    return () => invitePerson(admin(store), { email: anEmail(), roles: [{ role: "reviewer", practiceId }] });
  },
  "person.joined": async (store) => {
    const { token } = await anInvitation(store);
    return () => acceptLink(store, { token, name: "Lee Park", password });
  },
  "person.invitation-withdrawn": async (store) => {
    const { id } = await anInvitation(store);
    return () => withdrawInvitation(admin(store), { id });
  },
  "person.password-withdrawn": async (store) => {
    const { id } = await somebody(store);
    return () => renewLink(admin(store), { id });
  },
  "person.password-chosen": async (store) => {
    const { id } = await somebody(store);
    const { token } = await done(renewLink(admin(store), { id }));
    return () => acceptLink(store, { token, name: "", password: "another kettle 4 tulips" });
  },
  "person.sessions-ended": async (store) => {
    const { id } = await signedIn(store);
    return () => endSessions(admin(store), { personId: id });
  },
  "person.disabled": async (store) => {
    const { id } = await signedIn(store);
    return () => disablePerson(admin(store), { id });
  },
  "person.enabled": async (store) => {
    const { id } = await somebody(store);
    await disablePerson(admin(store), { id });
    return () => enablePerson(admin(store), { id });
  },
  "person.signed-in": async (store) => {
    const { email } = await somebody(store);
    return () => beginSession(store, { email, password });
  },
  "person.signed-out": async (store) => {
    const { self } = await signedIn(store);
    return () => revokeSession(store, self.sessionId);
  },
  "person.sign-in-failed": async (store) => {
    const { email } = await somebody(store);
    return () =>
      Promise.all([email, anEmail()].map((account) => beginSession(store, { email: account, password: "no" })));
  },
  "person.sign-in-refused": (store) =>
    Promise.resolve(() => signInBySso(store, { ...anIdentity(), groups: [], hasSecondFactor: false })),
  "person.proved-again": async (store) => {
    const { id, self } = await signedIn(store);
    return () => proveSession(store, { personId: id, sessionId: self.sessionId }, { typed: password });
  },
  "person.proof-failed": async (store) => {
    const { id, self } = await signedIn(store);
    return () => proveSession(store, { personId: id, sessionId: self.sessionId }, { typed: "no" });
  },
  "person.second-factor-added": async (store) => {
    const { self } = await signedIn(store);
    const { secret } = await done(beginTotp(self));
    return () => showingCode(secret, (code) => confirmTotp(self, { code }));
  },
  "person.second-factor-failed": async (store) => {
    const { email } = await withApp(store);
    const ticket = await issueTicket(store, await done(beginSignIn(store, { email, password })));
    return () => finishSignIn(store, { ticket, code: "000000" });
  },
  "person.second-factor-renamed": async (store) => {
    const { id, self } = await signedIn(store);
    const passkey = { id: fresh("passkey"), personId: id, name: "Phone", publicKey: new Uint8Array(1), counter: 0 };
    await store.prisma.passkey.create({ data: { ...passkey, transports: [] } });
    return () => renamePasskey(self, { id: passkey.id, name: "Old phone" });
  },
  "person.second-factor-removed": async (store) => {
    const { self } = await withApp(store);
    return () => removeTotp(self);
  },
  "person.second-factors-reset": async (store) => {
    const { self } = await withApp(store);
    return () => resetSecondFactor(admin(store), { id: self.actor.id });
  },
  "person.recovery-codes-made": async (store) => {
    const { self } = await withApp(store);
    return () => remakeRecoveryCodes(self);
  },
  "person.linked": async (store) => {
    const { id } = await somebody(store);
    return () => linkPerson(admin(store), { id, ...anIdentity() });
  },
  "person.unlinked": async (store) => {
    const { id } = await somebody(store);
    const identity = anIdentity();
    await linkPerson(admin(store), { id, ...identity });
    return () => unlinkPerson(admin(store), { id, issuer: identity.issuer });
  },
  "person.groups-read": async (store) => {
    const { id, practiceId } = await somebody(store);
    const [identity, group] = [anIdentity(), fresh("group")];
    await linkPerson(admin(store), { id, ...identity });
    await mapGroup(admin(store), { issuer: identity.issuer, group, role: "auditor", practiceId });
    return () =>
      signInBySso(store, { ...identity, issuer: `${identity.issuer}/`, groups: [group], hasSecondFactor: false });
  },
  "group.mapped": async (store) => {
    const given = { issuer: anIdentity().issuer, group: fresh("group"), role: "auditor" };
    const practiceId = await aPractice(store);
    return () => mapGroup(admin(store), { ...given, practiceId });
  },
  "group.unmapped": async (store) => {
    const given = { issuer: anIdentity().issuer, group: fresh("group"), role: "auditor" };
    const group = { ...given, practiceId: await aPractice(store) };
    await mapGroup(admin(store), group);
    return () => unmapGroup(admin(store), group);
  },
  "person.mail-chosen": async (store) => {
    const { self } = await signedIn(store);
    return () => saveNotificationChoice(store, self.actor, everyKind("daily"));
  },
};

export const anIdentity = () => ({ issuer: `https://${fresh("idp")}.example`, subject: fresh("subject") });

export async function somebody(store: Store) {
  const practiceId = await aPractice(store);
  const { actor } = await aPerson(store, { practices: [practiceId] });
  await store.prisma.person.update({ where: { id: actor.id }, data: { passwordHash: await hashed } });
  return { id: actor.id, email: `${actor.id}@example.org`, practiceId };
}

export async function signedIn(store: Store) {
  const one = await somebody(store);
  const sessionId = (await beginSession(store, { email: one.email, password }))?.sessionId ?? "";
  const actor = await sessionActor(store, sessionId);
  if (!actor) throw new Error("The session is over.");
  const self: Self = { actor, store, sessionId };
  return { ...one, self };
}

async function withApp(store: Store) {
  const one = await signedIn(store);
  const { secret } = await done(beginTotp(one.self));
  await done(showingCode(secret, (code) => confirmTotp(one.self, { code })));
  return one;
}

async function anInvitation(store: Store) {
  const practiceId = await aPractice(store);
  return linkOf(invitePerson(admin(store), { email: anEmail(), roles: [{ role: "reviewer", practiceId }] }));
}
