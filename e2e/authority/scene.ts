import { createHash } from "node:crypto";
import { decode } from "next-auth/jwt";
import { acceptLink } from "#lib/person/choose-password";
import { createChannel } from "#lib/channel/create-channel";
import { disablePerson } from "#lib/person/disable-person";
import { invitePerson } from "#lib/person/invite-person";
import { setPayer } from "#lib/practice/directory/set-payer";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { beginSession } from "#lib/person/session/begin-session";
import { atoms, type Role } from "#lib/access/model/actor";
import { warningTypes } from "#lib/gate/model/checks";
import { revokeSession } from "#lib/person/store/people";
import { done, linkOf } from "#test/support/people/admin";
import type { WireTask } from "../fixtures/agent.ts";
import { aPerson, aPractice, fullIntake, smallIntake, type Practice } from "../fixtures/journey.ts";
import type { Stack } from "../fixtures/stack.ts";
import { post } from "./ask.ts";
import { actionId } from "./built.ts";
import { callers, ours, readers, type Caller, type Scene } from "./callers.ts";
import { form, seenOn } from "./form.ts";

const patient = "Quillfeather";
const file = Buffer.from("%PDF-1.4\nnot much of a letter about Quillfeather\n%%EOF\n");

export async function aScene(stack: Stack): Promise<Scene> {
  const practice = await aPractice(stack, { name: "Alderwick Orthopedics", recallWindowS: 600 });
  const elsewhere = await aPractice(stack, { name: "Harbor Cardiology" });
  // No case of the scene asks for reasons.
  await done(setNotedWarnings(stack.operator, { practiceId: practice.id, noted: warningTypes }));
  await done(setPayer(stack.operator, { practiceId: practice.id, payerId: "60054", name: "Lakeview Mutual" }));
  const people = await everybody(stack, practice, elsewhere);
  const held = await practice.agent.send(withPatient(practice, patient), {
    note: `${patient} asks for an early day.`,
    files: [{ bytes: file, name: "letter.pdf", mimeType: "application/pdf" }],
  });
  const spare = await done(createChannel(stack.operator, { name: "Alderwick agent", practices: [practice.id], atoms }));
  const theirs = await elsewhere.agent.send(withPatient(elsewhere, "Brinkmann"));
  const { operator } = stack;
  const known = { operator, doer: "reviewer" as const, practice, elsewhere, held, theirs, ...people };
  return {
    ...known,
    ...(await aRelease(stack, known)),
    ...(await membersOf(stack, practice)),
    spare: { id: spare.id, keyId: given(spare.key.split("_")[1], "key of a channel") },
    fileDigest: createHash("sha256").update(file).digest("hex"),
    canaries: [
      { text: patient, shownTo: ours },
      { text: "Brinkmann", shownTo: ["stranger"] },
      { text: elsewhere.name, shownTo: ["stranger", "admin", "admin elsewhere", "auditor elsewhere"] },
      { text: practice.name, shownTo: [...new Set([...ours, ...readers])] },
      { text: "Alderwick agent", shownTo: [...new Set([...ours, ...readers])] },
      { text: practice.channel.key.slice(15, 40), shownTo: [] },
    ],
  };
}

/** One more case of the practice at its gate, which a person would carry. */
export function anotherCase({ practice }: Pick<Scene, "practice">): Promise<WireTask> {
  return practice.agent.send(smallIntake(practice));
}

type KnownScene = Pick<Scene, "practice" | "cookieOf">;

async function aRelease(stack: Stack, scene: KnownScene): Promise<Pick<Scene, "released" | "receiptId">> {
  const released = await anotherCase(scene);
  const id = actionId("app/tasks/[id]/decision/actions.ts#decide");
  const fields = { intent: "release", ...seenOn(released), zone: "UTC" };
  const posted = { id, path: `/tasks/${released.id}`, args: [{}, form(fields)] };
  await post(stack, scene, { ...posted, caller: "reviewer" });
  const { rows } = await stack.operator.store.pool.query<{ id: string }>(
    "SELECT id FROM decision_receipt WHERE task_id = $1",
    [released.id],
  );
  return { released, receiptId: given(rows[0]?.id, "receipt") };
}

async function membersOf(
  { operator }: Stack,
  { id: practiceId }: Practice,
): Promise<Pick<Scene, "memberId" | "guestId">> {
  const roles = [{ role: "reviewer", practiceId }];
  const invited = (name: string) => linkOf(invitePerson(operator, { email: `${name}@${practiceId}.example`, roles }));
  const [member, guest] = await Promise.all([invited("member"), invited("guest")]);
  const password = "wander tulip 9 kettle";
  await done(acceptLink(operator.store, { token: member.token, name: "Somebody", password }));
  given(await beginSession(operator.store, { email: member.email, password }), "session of a member");
  return { memberId: member.id, guestId: guest.id };
}

type People = Pick<Scene, "cookieOf" | "idOf">;

async function everybody(stack: Stack, practice: Practice, elsewhere: Practice): Promise<People> {
  const known: Record<string, { cookie: string; personId: string; sessionId: string; email: string }> = {};
  const rolesOf: readonly (readonly [Exclude<Caller, "nobody" | "reviewer" | "stranger">, readonly Role[]])[] = [
    ["admin", ["admin"]],
    ["admin elsewhere", ["admin"]],
    ["auditor", ["auditor"]],
    ["auditor elsewhere", ["auditor"]],
    ["reviewer+admin", ["reviewer", "admin"]],
    ["no longer enabled", ["reviewer", "admin", "auditor"]],
    ["signed out", ["reviewer", "admin", "auditor"]],
  ];
  const people = [
    ["reviewer", practice.reviewer] as const,
    ["stranger", elsewhere.reviewer] as const,
    ...(await Promise.all(
      rolesOf.map(async ([caller, roles]) => {
        const there = caller.endsWith(" elsewhere") ? elsewhere.id : practice.id;
        const practices = caller === "admin" ? [] : [there];
        return [caller, await aPerson(stack, { roles, practices, name: `Somebody ${caller}` })] as const;
      }),
    )),
  ];
  for (const [caller, who] of people) {
    const { token } = await who.newSession();
    const read = await decode({ token, secret: stack.sessionSecret });
    const [personId, sessionId] = [given(read?.sub, `session of ${caller}`), String(read?.sid)];
    known[caller] = { cookie: `next-auth.session-token=${token}`, personId, sessionId, email: who.email };
  }
  const one = (caller: Caller) => given(known[caller], caller);
  await done(disablePerson(stack.operator, { email: one("no longer enabled").email }));
  await revokeSession(stack.operator.store, one("signed out").sessionId);
  const of = (part: "cookie" | "personId") =>
    Object.fromEntries(callers.map((caller) => [caller, caller === "nobody" ? "" : one(caller)[part]])) as Readonly<
      Record<Caller, string>
    >;
  return { cookieOf: of("cookie"), idOf: of("personId") };
}

/** What an attempt would prove nothing without. */
function given<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`The scene has no ${what}.`);
  return value;
}

function withPatient(practice: Practice, lastName: string) {
  const intake = fullIntake(practice);
  const { subscriber, patient: person } = intake.serviceReview;
  return {
    ...intake,
    serviceReview: {
      ...intake.serviceReview,
      subscriber: { ...subscriber, lastName },
      patient: { ...person, lastName },
    },
  };
}
