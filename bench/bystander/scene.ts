import { encode } from "next-auth/jwt";
import { createChannel } from "#lib/channel/create-channel";
import { createPerson } from "#lib/person/create-person";
import { createPractice } from "#lib/practice/create-practice";
import { atoms, type OperatorActor } from "#lib/access/model/actor";
import type { Context } from "#lib/access/context";
import { openWholeStore } from "#test/support/database/whole-store";
import { createSession } from "#lib/person/store/people";
import { done } from "#test/support/people/admin";
import type { Databases } from "../databases.ts";
import { intake, post } from "./post.ts";

/** Who attacks, and what they may name; everything an attack is given. */
export type Scene = {
  readonly port: number;
  readonly key: string;
  readonly practiceId: string;
  readonly taskId: string;
};

/** Who only goes on working: an agent that polls its task, and a reviewer who reads the queue. */
export type Bystander = {
  readonly port: number;
  readonly key: string;
  readonly taskId: string;
  readonly cookie: string;
};

const queueCases = 60;
const amendments = 60;
const notes = Array.from({ length: 50 }, () => "A note of twenty thousand letters. ".repeat(571));

/** Two practices with a channel each; the attacker's task is amended sixty times with a megabyte of text. */
export async function makeScene(
  databases: Databases,
  port: number,
): Promise<{ readonly attacker: Scene; readonly bystander: Bystander }> {
  return withOperator(databases, async (operator) => {
    const bystander = await makeBystander(operator, { port, secret: databases.secrets.nextAuthSecret });
    const other = { port, practiceId: "attacker", key: await channelOf(operator, "attacker") };
    const taskId = await taskOf(other, intake(other));
    for (let sent = 0; sent < amendments; sent += 1) await taskOf(other, intake({ ...other, taskId, notes }));
    return { attacker: { ...other, taskId }, bystander };
  });
}

export type Operator = Context<OperatorActor>;

/** Lends an operator with a store of the bench's own. */
export async function withOperator<Value>(
  { appUrl: url, secrets }: Databases,
  use: (operator: Operator) => Promise<Value>,
): Promise<Value> {
  const sealingKey = Buffer.from(secrets.sealingKey, "base64");
  const keyPepper = Buffer.from(secrets.channelKeyPepper, "base64");
  const store = openWholeStore({ url, sealingKey, keyPepper, connectionsMax: 4 });
  try {
    return await use({ actor: { kind: "operator" }, store });
  } finally {
    await store.close();
  }
}

/** A practice with sixty cases, the channel that sent them, and a reviewer who is signed in. */
export async function makeBystander(
  operator: Operator,
  { port, secret }: { readonly port: number; readonly secret: string },
): Promise<Bystander> {
  const practiceId = "bystander";
  const own = { port, practiceId, key: await channelOf(operator, practiceId) };
  const taskId = await taskOf(own, intake(own));
  for (let sent = 1; sent < queueCases; sent += 1) await taskOf(own, intake(own));
  const [email, password] = ["reviewer@bench.example", "bench desk 7731 only"];
  const roles = ["reviewer"] as const;
  const { id } = await done(createPerson(operator, { email, name: "R", password, roles, practices: [practiceId] }));
  const { id: sid } = await createSession(operator.store, { personId: id });
  const cookie = `next-auth.session-token=${await encode({ token: { sub: id, sid }, secret })}`;
  return { port, key: own.key, taskId, cookie };
}

/** A practice and the channel that reaches it, both of this name: the channel's key. */
async function channelOf(operator: Operator, practiceId: string): Promise<string> {
  await done(createPractice(operator, { id: practiceId, name: practiceId, environment: "test" }));
  const of = { name: practiceId, practices: [practiceId], atoms, callsPerSecond: "none" } as const;
  return (await done(createChannel(operator, of))).key;
}

async function taskOf(of: Pick<Scene, "port" | "key">, body: string): Promise<string> {
  const { status, text } = await post(of, body);
  const id = /"kind":"task","id":"([0-9a-f-]{36})"/.exec(text)?.[1];
  if (id === undefined) throw new Error(`A call that must be taken was answered ${status} ${text.slice(0, 300)}`);
  return id;
}
