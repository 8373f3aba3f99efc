import { encode } from "next-auth/jwt";
import { createChannel } from "#lib/channel/create-channel";
import { createPerson } from "#lib/person/create-person";
import { createPractice } from "#lib/practice/create-practice";
import { atoms } from "#lib/access/model/actor";
import { openWholeStore } from "#test/support/whole-store";
import { createSession } from "#lib/person/store/people";
import { done } from "#test/support/admin";
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
  { appUrl: url, secrets }: Databases,
  port: number,
): Promise<{ readonly attacker: Scene; readonly bystander: Bystander }> {
  const sealingKey = Buffer.from(secrets.sealingKey, "base64");
  const keyPepper = Buffer.from(secrets.channelKeyPepper, "base64");
  const store = openWholeStore({ url, sealingKey, keyPepper, connectionsMax: 4 });
  const operator = { actor: { kind: "operator" }, store } as const;
  const channelOf = async (practiceId: string) => {
    await done(createPractice(operator, { id: practiceId, name: practiceId, environment: "test" }));
    const of = { name: practiceId, practices: [practiceId], atoms, callsPerSecond: "none" } as const;
    return { port, practiceId, key: (await done(createChannel(operator, of))).key };
  };
  const cookieOf = async (practiceId: string) => {
    const [email, password] = ["reviewer@bench.example", "bench desk 7731 only"];
    const roles = ["reviewer"] as const;
    const { id } = await done(createPerson(operator, { email, name: "R", password, roles, practices: [practiceId] }));
    const { id: sid } = await createSession(store, { personId: id });
    return `next-auth.session-token=${await encode({ token: { sub: id, sid }, secret: secrets.nextAuthSecret })}`;
  };
  try {
    const [own, other] = [await channelOf("bystander"), await channelOf("attacker")];
    const taskId = await taskOf(own, intake(own));
    for (let sent = 1; sent < queueCases; sent += 1) await taskOf(own, intake(own));
    const attacked = await taskOf(other, intake(other));
    for (let sent = 0; sent < amendments; sent += 1) await taskOf(other, intake({ ...other, taskId: attacked, notes }));
    return {
      attacker: { ...other, taskId: attacked },
      bystander: { port, key: own.key, taskId, cookie: await cookieOf(own.practiceId) },
    };
  } finally {
    await store.close();
  }
}

async function taskOf(of: Pick<Scene, "port" | "key">, body: string): Promise<string> {
  const { status, text } = await post(of, body);
  const id = /"kind":"task","id":"([0-9a-f-]{36})"/.exec(text)?.[1];
  if (id === undefined) throw new Error(`A call that must be taken was answered ${status} ${text.slice(0, 300)}`);
  return id;
}
