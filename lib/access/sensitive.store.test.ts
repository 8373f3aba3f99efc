import { generateKeyPairSync } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashPassword } from "#lib/person/sign-in/password";
import { beginTotp, confirmTotp } from "#lib/person/second-factor/own-totp";
import type { Context } from "./context.ts";
import type { PersonActor } from "#lib/access/model/actor";
import { createSession } from "#lib/person/store/people";
import { sessionActor } from "#lib/person/shared/live-session";
import { done, entriesOf } from "#test/support/people/admin";
import { aChannel, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { showingCode } from "#test/support/people/totp";
import { changeOwnPassword } from "#lib/person/choose-password";
import { changeChannelAccess } from "#lib/channel/change-channel-access";

/**
 * What each verb asks of an admin whose last proof of who they are is older than ten minutes. `asks`: what says who may
 * do what, lets somebody in, makes a secret or says where one goes, or lowers a guard. `never`: what only stops
 * somebody, or only names and shapes. `wider`: where it lets more through than before. `own`: it is nobody's but one's
 * own, or the operator's at the command line. `part`: no verb, or one that changes nothing.
 */
const verbs: Readonly<Record<string, "asks" | "never" | "wider" | "own" | "part">> = {
  acceptLink: "own",
  accessText: "part",
  addChannelPractices: "part",
  addGrants: "part",
  addGroupGrant: "part",
  allowEmergencyAccess: "part",
  adminGrantsWaiting: "part",
  applyImport: "asks",
  bootstrapAdmin: "own",
  changeChannelAccess: "wider",
  changeGrants: "asks",
  previewChannelAccess: "part",
  closeChange: "never",
  confirmChange: "asks",
  changeOwnPassword: "own",
  changePracticeSettings: "wider",
  createChannel: "asks",
  createPerson: "asks",
  createPractice: "never",
  disablePerson: "never",
  enablePerson: "asks",
  endOwnSessions: "own",
  endSecondAdmin: "part",
  endSessions: "never",
  environmentOf: "part",
  exportReceipts: "never",
  exportAuditLog: "part",
  inspectRecord: "part",
  invitePerson: "asks",
  joinBySso: "own",
  linkPerson: "asks",
  linkProblem: "part",
  listGroups: "part",
  listKeys: "part",
  listOwnSessions: "part",
  lowerVoteRules: "part",
  makeInvitation: "part",
  mapGroup: "asks",
  openLink: "part",
  previewImport: "part",
  putProvider: "never",
  putRoute: "part",
  recoverRecord: "own",
  removeProvider: "never",
  refuseAdminAccount: "part",
  renameChannel: "never",
  renewLink: "asks",
  renewSubscription: "never",
  replacePepper: "never",
  resealPractices: "never",
  resetSecondFactor: "asks",
  resumeChannel: "asks",
  resumePractice: "asks",
  revokeKey: "never",
  rotateKey: "asks",
  rotatePracticeKey: "never",
  setAutoReview: "asks",
  setChannelClient: "asks",
  setChannelOwner: "asks",
  setEmergencyAccess: "asks",
  setLineOfBusiness: "never",
  setNotedWarnings: "never",
  setRetention: "asks",
  setRoute: "asks",
  scopeOf: "part",
  setSecondAdmin: "asks",
  setSecondFactor: "asks",
  setSsoOnly: "asks",
  setVoteRules: "asks",
  settingsText: "part",
  suspendChannel: "never",
  suspendPractice: "never",
  testRoute: "never",
  unlinkPerson: "never",
  unmapGroup: "asks",
  voteRulesText: "part",
  warningsText: "part",
  withdrawInvitation: "never",
  wrapKeys: "never",
};

type Verb = (ctx: Context, input: object) => Promise<{ ok: boolean; refusal?: { type: string } }>;

/** Where an admin's verbs are. */
const places = [
  "lib/{access,audit,change-request,channel,person,practice}/*.ts",
  "lib/practice/import/*.ts",
  "lib/submission/recover-record.ts",
];

/** What verbs are made of. */
const shared = ["administer.ts", "administer-channel.ts"];
const writes = /import \{[^}]*\b(?:administer|administerProved|administerChannel|appendAudit)\b/;

/** Everything exported where something is written in somebody's name, by its name. */
async function writing(): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const file of globSync(places, { exclude: ["**/*.test.ts"] })) {
    if (shared.includes(basename(file))) continue;
    if (!writes.test(await readFile(file, "utf8"))) continue;
    const exported = (await import(resolve(file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) if (typeof value === "function") found.set(name, value);
  }
  return found;
}

const store = aStore();
afterAll(() => store.close());

let [practiceId, admin] = ["", {} as PersonActor];
beforeAll(async () => {
  practiceId = await aPractice(store);
  admin = (await aPerson(store, { practices: [], roles: ["admin"] })).actor;
});

const elevenMinutesAgo = () => new Date(Date.now() - 11 * 60_000);

const jwks = JSON.stringify({
  keys: [{ ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }), kid: "a", alg: "EdDSA" }],
});

/** Who and what nobody ever made, so that what is carried out comes to nothing. */
const input = () => ({
  ...{ practiceId, id: crypto.randomUUID(), personId: crypto.randomUUID(), channelId: crypto.randomUUID() },
  ...{
    email: `${crypto.randomUUID()}@clinic.example`,
    payerId: "none",
    keyId: "none",
    kind: "practices",
    text: "",
    digest: "",
  },
  ...{
    issuer: "https://idp.example",
    group: "none",
    subject: "none",
    role: "admin",
    roles: ["auditor"],
    practices: [],
  },
  ...{
    on: false,
    required: false,
    rules: [],
    days: 1,
    noted: [],
    networks: [],
    password: "wander tulip 9 kettle",
    jwks,
  },
});

test("the list of verbs that need a new proof names every verb and nothing else", async () => {
  expect([...(await writing()).keys()].toSorted()).toEqual(Object.keys(verbs).toSorted());
});

test("a sensitive act needs a new proof from an administrator; an act that only takes access away never does", async () => {
  const wrong: string[] = [];
  for (const [name, verb] of await writing()) {
    const kind = verbs[name];
    if (kind !== "asks" && kind !== "never") continue;
    const asks = async (provedAt: Date) => {
      // Safe because what is on the list as a verb is one.
      const result = await (verb as Verb)({ actor: { ...admin, provedAt }, store }, input());
      return result.refusal?.type === "proof-needed";
    };
    const [stale, fresh] = [await asks(elevenMinutesAgo()), await asks(new Date())];
    if (stale !== (kind === "asks") || fresh) wrong.push(`${name}: asks ${stale} later, ${fresh} at once`);
  }
  expect(wrong).toEqual([]);
});

test("a person who administers nothing is refused every verb, and each refusal is recorded", async () => {
  const { actor } = await aPerson(store, { practices: [practiceId], roles: ["reviewer", "auditor"] });
  const denials = async () =>
    (await entriesOf({ store }, "people")).filter(
      ({ act, actor: by }) => act === "person.denied" && by === `person:${actor.id}`,
    ).length;
  const wrong: string[] = [];
  for (const [name, verb] of await writing()) {
    if (!["asks", "never", "wider"].includes(verbs[name] ?? "")) continue;
    const before = await denials();
    // Safe because what is on the list as a verb is one.
    const result = await (verb as Verb)({ actor: { ...actor, provedAt: new Date() }, store }, input());
    const left = (await denials()) - before;
    if (result.refusal?.type !== "not-authorised" || left !== 1)
      wrong.push(`${name}: ${result.refusal?.type}, ${left} entries`);
  }
  expect(wrong).toEqual([]);
});

test("allowing a channel more networks needs a new proof, and allowing fewer does not", async () => {
  const channelId = (await aChannel(store, { practices: [practiceId] })).actor.id;
  const set = async (networks: readonly string[], provedAt = elevenMinutesAgo()) => {
    const result = await changeChannelAccess({ actor: { ...admin, provedAt }, store }, { channelId, networks });
    return result.ok ? "done" : result.refusal.type;
  };
  expect(await set(["203.0.113.0/24", "2001:db8::/32"])).toBe("done");
  expect(await set(["203.0.113.16/28"])).toBe("done");
  for (const wider of [["203.0.113.0/24"], ["203.0.113.16/28", "198.51.100.1"], []])
    expect(await set(wider), String(wider)).toBe("proof-needed");
  expect(await set(["203.0.113.17/28"])).toBe("done");
  expect(await set([], new Date())).toBe("done");
});

test("a person with a second factor changes their password only with a new proof by it", async () => {
  const { actor } = await aPerson(store, { practices: [practiceId] });
  const present = "wander tulip 9 kettle";
  const passwordHash = await hashPassword(present);
  await store.prisma.person.update({ where: { id: actor.id }, data: { passwordHash } });
  const { id: sessionId } = await createSession(store, { personId: actor.id });
  const change = async (to: { present: string; password: string }, provedAt: Date) =>
    changeOwnPassword({ actor: { ...actor, provedAt }, store }, { sessionId, ...to });
  const [first, second] = ["another kettle 12", "a third kettle 13"];
  expect(await change({ present, password: first }, elevenMinutesAgo())).toMatchObject({ ok: true });
  const self = { actor: (await sessionActor(store, sessionId)) ?? actor, store, sessionId };
  const { secret } = await done(beginTotp(self));
  await done(showingCode(secret, (code) => confirmTotp(self, { code })));
  const needed = { ok: false, refusal: { type: "proof-needed" } };
  expect(await change({ present: first, password: second }, elevenMinutesAgo())).toEqual(needed);
  expect(await change({ present: first, password: second }, new Date())).toMatchObject({ ok: true });
});
