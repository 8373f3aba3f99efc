import { randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { text as read } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { powersOf } from "#lib/access/model/grant";
import { storeForPerson } from "#lib/db/for-practices";
import { beginRouteDraft, setDraftAccess } from "#lib/practice/draft/route-draft";
import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { openEmergencyAccess } from "#lib/task/emergency-access";
import { setRoute } from "#lib/practice/set-route";
import { sealedColumns } from "#lib/db/sealed-columns";
import { done } from "#test/support/people/admin";
import { post } from "../authority/ask.ts";
import { actionId } from "../authority/built.ts";
import { form, seenOn } from "../authority/form.ts";
import {
  aPerson,
  aPractice,
  aVoid,
  expect,
  fullIntake,
  smallIntake,
  test,
  untilState,
  type Practice,
  type SignIn,
  type WireTask,
} from "../fixtures/journey.ts";
import { databasePlaces, filesIn, keepLog, placesWith, type Places } from "../fixtures/seek.ts";
import type { Stack } from "../fixtures/stack.ts";

/** What each sealed column is given in this test, where it is not the service itself that makes it up. */
const madeHere: Readonly<Record<string, "planted" | "random">> = {
  "route.credential": "planted",
  "route_draft.credential": "planted",
  "emergency_access.reason": "planted",
  "subscription.secret": "random",
  "task.information_request": "planted",
  "task.remark": "planted",
  "task.patient": "planted",
  "task.recourse": "planted",
  "task_event.facts": "planted",
  "revision.service_review": "planted",
  "message.body": "planted",
  "gate.calls": "planted",
  "gate.purpose": "planted",
  "gate.reason": "planted",
  "vote.reason": "planted",
  "transmission.reason": "planted",
  "transmission.sent_to": "planted",
  "payer_event.payload": "planted",
  // Only the payers' door writes it; lib/payer/inbox/push.store.test.ts looks at what it wrote.
  "unmatched_push.payload": "random",
  "determination.document": "planted",
  "attachment.bytes": "planted",
  "attachment.name": "planted",
  "case_note.text": "planted",
  // Numbers of units and nothing else.
  "units_used.units": "random",
  "task_webhook.url": "planted",
  "task_webhook.token": "planted",
};

test("what is sealed stands nowhere else: no log, mail, address, export, dump, file or log of the database", async ({
  stack,
}) => {
  test.slow();
  const names = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(Object.keys(madeHere).sort(), "each sealed column is given a canary here").toEqual(names.sort());
  const canary = `Quill${randomBytes(9).toString("hex")}`;
  const letLogGo = await keepLog(stack);
  const mails = await aMailServer();
  const mail = { SMTP_URL: mails.url, MAIL_FROM: "pa@elm.example", LOG_LEVEL: "debug" };
  for (const name of ["server", "worker"] as const) {
    await stack.stop(name);
    await stack.begin(name, mail);
  }
  const addresses: string[] = [];
  const practice = await aPractice(stack, { recallWindowS: 1 });
  const act = await actor(stack, practice, addresses);
  await done(setChannelWebhooks(stack.operator, { channelId: practice.channel.id, hosts: [nobody] }));
  await throughTheCircle(stack, practice, { canary, act });
  await manual(stack, practice, { canary, act });
  await byAnAdmin(stack, practice, canary);
  await withErrors(stack, practice, canary);
  await expect.poll(() => mails.taken.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await unsealed(stack, practice.id, canary)).toEqual(
    names.filter((name) => madeHere[name] === "planted").sort(),
  );
  const exported = await exports(stack, practice);
  const places = async (): Promise<Places> => ({
    "the processes' logs": filesIn(stack.logs),
    mail: mails.taken.map((each) => Buffer.from(each)),
    addresses: addresses.map((each) => Buffer.from(each)),
    ...exported,
    ...(await databasePlaces(stack)),
  });
  const searched = await places();
  for (const [place, contents] of Object.entries(searched)) expect(contents.length, place).toBeGreaterThan(0);
  expect(placesWith(searched, canary)).toEqual([]);

  // The same search finds what was put there on purpose.
  const planted = `Found${randomBytes(9).toString("hex")}`;
  await stack.sql("UPDATE practice SET name = $1 WHERE id = $2", [planted, practice.id]);
  const database = await databasePlaces(stack);
  expect(placesWith(database, planted)).toEqual(Object.keys(database));
  for (const disguise of [
    planted,
    Buffer.from(`x${planted}y`).toString("base64"),
    Buffer.from(planted).toString("hex"),
  ])
    for (const place of Object.keys(searched))
      expect(placesWith({ [place]: [...(searched[place] ?? []), Buffer.from(` ${disguise} `)] }, planted)).toEqual([
        place,
      ]);
  await mails.close();
  await letLogGo();
});

type Act = (name: string, path: string, fields: Readonly<Record<string, string>>) => Promise<void>;
type Doing = { readonly canary: string; readonly act: Act };

/** Posts server actions as the reviewer, and keeps the addresses they lead to. */
async function actor(stack: Stack, { reviewer }: Practice, addresses: string[]): Promise<Act> {
  const cookieOf = { reviewer: await cookie(reviewer) } as Parameters<typeof post>[1]["cookieOf"];
  return async (name, path, fields) => {
    const page = await fetch(`${stack.baseUrl}${path}`, { headers: { cookie: cookieOf.reviewer } });
    // The warnings that the page showed.
    const [, shown = ""] = /name="shown" value="([^"]*)"/.exec(await page.text()) ?? [];
    const args = [{ problems: {} }, form({ shown, ...fields })];
    const answer = await post(stack, { cookieOf }, { id: actionId(name), path, args, caller: "reviewer" });
    addresses.push(path, answer.location);
    expect(answer.status, `${name} ${fields.intent ?? ""}`).toBeLessThan(400);
  };
}

async function cookie(who: SignIn): Promise<string> {
  return `next-auth.session-token=${(await who.newSession()).token}`;
}

const decide = ({ act }: Doing, task: WireTask, intent: string, more: Readonly<Record<string, string>> = {}) =>
  act("app/tasks/[id]/decision/actions.ts#decide", `/tasks/${task.id}`, {
    intent,
    ...seenOn(task),
    zone: "UTC",
    ...more,
  });

/** Nobody listens there. */
const nobody = "127.0.0.1:9";

/** Over the wire to a decision; then a void that is declined. */
async function throughTheCircle(stack: Stack, practice: Practice, doing: Doing): Promise<void> {
  const { canary, act } = doing;
  const { agent } = practice;
  const intake = fullIntake(practice);
  const review = intake.serviceReview;
  const person = { ...review.patient, lastName: canary };
  const sent = await agent.send(
    {
      ...intake,
      serviceReview: { ...review, patient: person, subscriber: { ...review.subscriber, lastName: canary } },
    },
    {
      note: `${canary} asks.`,
      files: [{ bytes: Buffer.from(`%PDF-1.4\n${canary}\n%%EOF\n`), name: `${canary}.pdf` }],
      webhook: { url: `http://${nobody}/hooks/${canary}`, token: canary },
    },
  );
  const path = `/tasks/${sent.id}`;
  await act("app/tasks/[id]/team/desk-actions.ts#writeCaseNote", path, {
    taskId: sent.id,
    noteId: randomUUID(),
    text: canary,
  });
  await decide(doing, sent, "release", { why: `${canary} was there.` });
  await untilState(agent, sent.id, "determined", { hurry: stack });
  const voiding = await agent.send(aVoid(practice, `${canary} cancelled.`), { taskId: sent.id });
  await decide(doing, voiding, "decline", { code: "other", reason: `${canary} did not.` });
}

/** Sent by a person: once the payer refused it, once it wants more; and a case that is declined. */
async function manual(_: Stack, practice: Practice, doing: Doing): Promise<void> {
  const { canary } = doing;
  const { agent } = practice;
  const first = await agent.send(smallIntake(practice));
  const why = `${canary} was here.`;
  await decide(doing, first, "release", { why });
  await decide(doing, first, "start-manual-submission");
  await decide(doing, first, "report-refused", { reason: `${canary} is not theirs.` });
  const again = await agent.send(smallIntake(practice, "72141"));
  await decide(doing, again, "release", { why });
  await decide(doing, again, "start-manual-submission");
  await decide(doing, again, "report-sent", { delivery: "fax", to: canary });
  await decide(doing, again, "record-information-request", { informationRequest: `Notes of ${canary}.` });
  const decided = await agent.send(smallIntake(practice, "72146"));
  await decide(doing, decided, "release", { why });
  await decide(doing, decided, "start-manual-submission");
  await decide(doing, decided, "report-sent", { delivery: "phone" });
  const determined = { requestedRevision: "1", outcome: "denied", learnedBy: "fax", evidence: canary, note: canary };
  await decide(doing, decided, "record-determination", determined);
  await decide(doing, decided, "record-appeal-terms", { by: "2099-01-31", how: `Ask ${canary}.`, evidence: canary });
  const declined = await agent.send(smallIntake(practice, "72158"));
  await decide(doing, declined, "decline", { code: "other", reason: `${canary} moved.` });
}

/** What an administrator types: a credential of a connection that is not active yet, and why a case is opened in an emergency. */
async function byAnAdmin(stack: Stack, { id: practiceId }: Practice, canary: string): Promise<void> {
  const { store } = stack.operator;
  const { email } = await aPerson(stack, { roles: ["admin"], practices: [practiceId], name: "Noor Haddad" });
  const { id } = await store.prisma.person.findUniqueOrThrow({ where: { email } });
  const powers = powersOf([{ role: "admin", practiceId }]);
  const actor = { kind: "person", id, name: "Noor Haddad", provedAt: new Date(), ...powers } as const;
  const admin = { actor, store: storeForPerson(store, actor) };
  const given = { practiceId, payerId: "70002", connector: "pas-fhir" };
  const { draftId } = await done(beginRouteDraft(admin, given));
  await done(setDraftAccess(admin, { practiceId, draftId, url: `http://${nobody}/fhir`, credential: canary }));
  await done(setEmergencyAccess(admin, { practiceId, on: true }));
  const { id: caseId } = await store.prisma.task.findFirstOrThrow({ where: { practiceId } });
  await done(openEmergencyAccess(admin, { practiceId, caseId, reason: `${canary} has surgery at 7.` }));
}

/** What fails: bad input, a payer that is not there, and a database that breaks off. */
async function withErrors(stack: Stack, practice: Practice, canary: string): Promise<void> {
  const { operator, baseUrl } = stack;
  const nowhere = { connector: "pas-fhir", url: `http://${nobody}/fhir`, credential: canary } as const;
  await done(
    setRoute(operator, {
      practiceId: practice.id,
      payerId: "70001",
      payerName: "Gone",
      environment: "test",
      ...nowhere,
    }),
  );
  const headers = { "content-type": "application/json", authorization: `Bearer ${practice.channel.key}` };
  const bodies = [
    `{"jsonrpc": "2.0", "${canary}`,
    JSON.stringify({ jsonrpc: "2.0", id: canary, method: canary, params: { [canary]: canary } }),
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "message/send",
      params: { message: { role: "user", parts: [{ kind: "data", data: { skill: canary } }] } },
    }),
  ];
  for (const body of bodies) await fetch(`${baseUrl}/api/a2a`, { method: "POST", headers, body });
  await fetch(`${baseUrl}/api/a2a`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${canary}` },
    body: "{}",
  });
  const intake = fullIntake(practice, { memberId: canary });
  const data = { ...intake, serviceReview: { ...intake.serviceReview, payer: { id: "70001" } } };
  const asking = Promise.allSettled(Array.from({ length: 8 }, () => practice.agent.send(data)));
  await stack
    .sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename <> current_user AND pid <> pg_backend_pid()",
    )
    .catch(() => undefined);
  await asking;
}

/** The sealed columns that hold the canary once they are opened. */
async function unsealed(
  { operator: { store } }: Stack,
  practiceId: string,
  canary: string,
): Promise<readonly string[]> {
  await store.keys.ready([practiceId]);
  const found = [];
  for (const { table, column, key } of sealedColumns) {
    const keys = Object.keys(key).map((name) => `t."${name}"::text`);
    const { rows } = await store.pool.query<{ sealed: Uint8Array; row: string }>(
      `SELECT t."${column}" AS sealed, concat_ws('/', ${keys.join(", ")}) AS row FROM "${table}" t
        WHERE practice_id = $1 AND t."${column}" IS NOT NULL`,
      [practiceId],
    );
    const opened = rows.map(({ sealed, row }) =>
      Buffer.from(store.sealer.open(sealed, { table, column, row, practiceId })),
    );
    if (placesWith({ column: opened }, canary).length > 0) found.push(`${table}.${column}`);
  }
  return found.sort();
}

/** The record and the receipts, as they leave the service. */
async function exports(stack: Stack, practice: Practice): Promise<Places> {
  const admin = await aPerson(stack, { roles: ["admin"], practices: [], name: "Morgan Reyes" });
  const record = await fetch(`${stack.baseUrl}/audit/export`, {
    method: "POST",
    headers: { cookie: await cookie(admin), origin: stack.baseUrl },
    body: new URLSearchParams(),
  });
  const { rows } = await stack.operator.store.pool.query<{ line: string }>(
    "SELECT r::text AS line FROM decision_receipt r WHERE practice_id = $1",
    [practice.id],
  );
  return {
    "the exported record": [Buffer.from(await record.arrayBuffer())],
    receipts: rows.map(({ line }) => Buffer.from(line)),
  };
}

async function aMailServer() {
  const taken: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _, answer) => void read(stream).then((raw) => (taken.push(raw), answer(null))),
  });
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port));
  });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${port}`, taken, close };
}
