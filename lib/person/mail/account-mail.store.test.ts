import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { acceptLink, changeOwnPassword } from "#lib/person/choose-password";
import { browseAuditLog } from "#lib/audit/browse-audit-log";
import { disablePerson } from "#lib/person/disable-person";
import { invitePerson } from "#lib/person/invite-person";
import { linkPerson, unlinkPerson } from "#lib/person/link-person";
import { renewLink } from "#lib/person/renew-link";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { beginSignIn } from "#lib/person/session/begin-session";
import { finishSignIn } from "#lib/person/sign-in/finish-sign-in";
import { addPasskey, beginPasskey, removePasskey } from "#lib/person/second-factor/own-passkeys";
import { remakeRecoveryCodes } from "#lib/person/second-factor/own-recovery-codes";
import { beginTotp, confirmTotp, removeTotp } from "#lib/person/second-factor/own-totp";
import { hashPassword } from "#lib/person/sign-in/password";
import { proveSession } from "#lib/person/sign-in/prove-session";
import { issueTicket } from "#lib/person/sign-in/sign-in-ticket";
import { noticeAccountChanges } from "#lib/person/store/account-mail";
import { openWholeStore } from "#test/support/database/whole-store";
import { createSession } from "#lib/person/store/people";
import { sessionActor } from "#lib/person/shared/live-session";
import { done, fresh, linkOf, operator } from "#test/support/people/admin";
import { aPerson, aPractice, keyPepper, sealingKey } from "#test/support/cases/cases";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { aMailServer, type ReceivedMail } from "#test/support/servers/mail-server";
import { softPasskey } from "#test/support/people/soft-passkey";
import { showingCode } from "#test/support/people/totp";
import { everyKind } from "#lib/person/model/notification";
import { chooseNotifications } from "./my-account.ts";
import { deliverLink } from "./deliver-link.ts";
import { createMailer } from "./mailer.ts";
import { mailRounds } from "./run-mail.ts";
import { unscoped } from "#lib/db/db";

// A database of this file's own: a round writes to everybody.
const database = await freshDatabase();
const store = openWholeStore({ url: database.appUrl, sealingKey, keyPepper, connectionsMax: 8 });
afterAll(() => store.close());

const [admin, publicUrl] = [{ actor: operator, store }, "https://prior-auth.example.org"];
const from = "Prior authorization <pa@example.org>";
const password = "wander tulip 9 kettle";
const passwordHash = await hashPassword(password);
const site = { rpId: "localhost", origin: "http://localhost:3000" };
const going = new AbortController().signal;
await noticeAccountChanges(store);

const roundsTo = (url: string) =>
  mailRounds({
    store: unscoped(store),
    log: pino({ level: "silent" }),
    mailer: createMailer({ url, from, publicUrl }),
    publicUrl,
    quietS: 0,
  });

/** Somebody signed in by their password. */
async function somebody() {
  const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
  await store.prisma.person.update({ where: { id: actor.id }, data: { passwordHash } });
  const { id: sessionId } = await createSession(store, { personId: actor.id });
  const self = { actor: (await sessionActor(store, sessionId)) ?? actor, store, sessionId };
  return { id: actor.id, email: `${actor.id}@example.org`, self };
}

/** The lines of these mails, one for each change, without the time. */
const textsIn = (mails: readonly ReceivedMail[]) =>
  mails.flatMap(({ body }) =>
    [...body.matchAll(/^- [A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M UTC: (.*?)\r?$/gm)].map(([, text]) => text),
  );

test("a person gets a mail for every change in how they sign in, whatever mail they chose, and no secret is in it", async () => {
  const { id, email, self } = await somebody();
  const server = await aMailServer();
  const round = roundsTo(server.url);
  await done(chooseNotifications(self, everyKind("off")));
  const secrets: string[] = [password];
  const tells = async (act: () => Promise<unknown>) => {
    const before = server.of(email).length;
    await act();
    await round(going);
    return textsIn(server.of(email).slice(before));
  };
  const device = softPasskey(site);
  const code = { secret: "", recovery: [] as readonly string[] };
  expect(
    await tells(async () => {
      const { challenge } = await done(beginPasskey(self, site));
      const added = await done(addPasskey(self, { site, response: device.make({ challenge }), name: "Ada's phone" }));
      secrets.push("Ada's phone", ...added.recoveryCodes);
    }),
  ).toEqual(["A passkey was added."]);
  expect(
    await tells(async () => {
      code.secret = (await done(beginTotp(self))).secret;
      await done(showingCode(code.secret, (code) => confirmTotp(self, { code })));
    }),
  ).toEqual(["An authenticator app was added."]);
  expect(await tells(async () => (code.recovery = (await done(remakeRecoveryCodes(self))).recoveryCodes))).toEqual([
    "New recovery codes were created. The earlier ones no longer work.",
  ]);
  const used = "A recovery code was used in place of your second factor.";
  expect(
    await tells(async () => {
      const ticket = await issueTicket(store, await done(beginSignIn(store, { email, password })));
      await done(finishSignIn(store, { ticket, code: code.recovery[0] ?? "" }));
      await proveSession(store, { personId: id, sessionId: self.sessionId }, { typed: code.recovery[1] ?? "" });
    }),
  ).toEqual([used, used]);
  expect(await tells(() => done(removePasskey(self, { id: device.id })))).toEqual(["A passkey was removed."]);
  expect(await tells(() => done(removeTotp(self)))).toEqual(["The authenticator app was removed."]);
  const chosen = "another kettle 12";
  expect(
    await tells(() =>
      done(changeOwnPassword(self, { sessionId: self.sessionId, present: password, password: chosen })),
    ),
  ).toEqual(["The password was changed."]);
  const identity = { issuer: "https://idp.example", subject: fresh("subject") };
  expect(await tells(() => done(linkPerson(admin, { id, ...identity })))).toEqual([
    "An account of your single sign-on provider was linked. You can sign in with it.",
  ]);
  expect(await tells(() => done(unlinkPerson(admin, { id, ...identity })))).toEqual([
    "The account of your single sign-on provider was unlinked. You can no longer sign in with it.",
  ]);
  expect((await tells(() => done(resetSecondFactor(admin, { id }))))[0]).toMatch(/^An admin removed/);
  expect(await tells(() => beginSignIn(store, { email, password: chosen }))).toEqual([]);
  for (const { raw, body, head } of server.of(email)) {
    expect(head).toContain("Subject: How you sign in changed: Prior authorization");
    expect(body).toContain(`${publicUrl}/account`);
    for (const secret of [...secrets, chosen, code.secret, ...code.recovery, device.id, identity.subject])
      expect(raw.includes(secret) || body.includes(secret), secret).toBe(false);
  }
  expect(server.taken.length).toBe(server.of(email).length);
});

test("several changes come in one mail, sent once by two workers at once, and a failed mail is sent again", async () => {
  const { email, self } = await somebody();
  const { secret } = await done(beginTotp(self));
  await done(showingCode(secret, (code) => confirmTotp(self, { code })));
  await done(remakeRecoveryCodes(self));
  let isBusy = true;
  const server = await aMailServer({
    onRcptTo: (_, __, answer) => answer(isBusy ? Object.assign(new Error("Busy"), { responseCode: 451 }) : null),
  });
  await roundsTo(server.url)(going);
  expect(server.taken).toEqual([]);
  isBusy = false;
  await store.prisma.mail.updateMany({ where: { kind: "account", status: "waiting" }, data: { dueAt: new Date(0) } });
  await Promise.all([1, 2, 3].map(() => roundsTo(server.url)(going)));
  expect(server.of(email)).toHaveLength(1);
  expect(textsIn(server.of(email))).toHaveLength(2);
});

test("entries that were emptied or are no JSON are skipped, and later changes are still mailed", async () => {
  const { email, self } = await somebody();
  const server = await aMailServer();
  const spoilt = await somebody();
  const link = (id: string) => linkPerson(admin, { id, issuer: "https://idp.example", subject: fresh("subject") });
  await done(link(spoilt.id));
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  await superuser.query("SET session_replication_role = replica");
  await superuser.query("UPDATE audit_entry SET detail = 'no JSON' WHERE chain = 'people' AND detail LIKE $1", [
    `%${spoilt.id}%`,
  ]);
  await superuser.end();
  await done(link(self.actor.id));
  await roundsTo(server.url)(going);
  expect(textsIn(server.of(email))).toHaveLength(1);
  const input = { person: self.actor.id, kind: "rights" } as const;
  expect((await done(browseAuditLog(admin, input))).rows).toMatchObject([{ act: "person.linked" }]);
});

test("a deactivated account gets no more mail", async () => {
  const { id, email, self } = await somebody();
  await done(beginTotp(self));
  await done(resetSecondFactor(admin, { id }));
  await noticeAccountChanges(store);
  await done(disablePerson(admin, { id }));
  const server = await aMailServer();
  await roundsTo(server.url)(going);
  expect(server.of(email)).toEqual([]);
  expect(await store.prisma.mail.findMany({ where: { personId: id } })).toMatchObject([{ status: "dropped" }]);
});

test("an invitation and a link for a new password arrive by mail alone, and open the account", async () => {
  const server = await aMailServer();
  const settings = { SMTP_URL: server.url, MAIL_FROM: from, PUBLIC_URL: publicUrl };
  const practiceId = await aPractice(store);
  const email = `${fresh("dana")}@clinic.example`;
  const invited = await linkOf(invitePerson(admin, { email, roles: [{ role: "reviewer", practiceId }] }));
  const address = `${publicUrl}/invite#${invited.token}`;
  expect(await deliverLink({ ...invited, isInvitation: true }, settings)).toBeUndefined();
  const [invitation] = server.of(email);
  expect(invitation?.head).toContain("Subject: You are invited: Prior authorization");
  const token = new URL(/https:\S+#\S+/.exec(invitation?.body ?? "")?.[0] ?? "").hash.slice(1);
  expect(invitation?.head).not.toContain(token);
  await done(acceptLink(store, { token, name: "Dana Whitfield", password }));
  const renewed = await done(renewLink(admin, { id: invited.id }));
  expect(await deliverLink({ ...renewed, isInvitation: false }, settings)).toBeUndefined();
  const [, mail] = server.of(email);
  expect(mail?.head).toContain("Subject: Choose a new password: Prior authorization");
  expect(mail?.body).toContain(`${publicUrl}/invite#${renewed.token}`);
  expect(mail?.body).not.toContain(practiceId);
  const refusing = await aMailServer({
    onRcptTo: (_, __, answer) => answer(Object.assign(new Error("No"), { responseCode: 550 })),
  });
  // Handed over by hand where no mail went out.
  const unsent = { ...invited, isInvitation: true };
  expect(await deliverLink(unsent, { ...settings, SMTP_URL: refusing.url })).toBe(address);
  expect(await deliverLink(unsent, { ...settings, SMTP_URL: "smtp://127.0.0.1:9" })).toBe(address);
  expect(await deliverLink(unsent, { ...settings, SMTP_URL: undefined })).toBe(address);
});
