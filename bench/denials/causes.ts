import { createChannel } from "#lib/channel/create-channel";
import { createPractice } from "#lib/practice/create-practice";
import { revokeKey } from "#lib/channel/revoke-key";
import { suspendChannel } from "#lib/channel/suspend-channel";
import { suspendPractice } from "#lib/practice/suspend-practice";
import { createChannelKey } from "#lib/channel/channel-key";
import { atoms, type Atom } from "#lib/access/model/actor";
import { openWholeStore } from "#test/support/database/whole-store";
import { done } from "#test/support/people/admin";
import { smallReview } from "#test/support/agents/reviews";
import type { Databases } from "../databases.ts";

/** One call that is denied, and what the caller must not learn from how long that took. */
export type Cause = { readonly name: string; readonly key: string; readonly body: string };

/** Causes whose times must not tell them apart; each is compared with the first. */
export type Family = { readonly call: string; readonly status: number; readonly causes: readonly Cause[] };

/** Sends as a channel that may, and gives the task. */
type Open = (call: { key: string; body: string }) => Promise<string>;

/** Makes practices, channels and tasks, and every cause of a denial among them. */
export async function makeFamilies(
  { url, secrets }: { url: string; secrets: Databases["secrets"] },
  open: Open,
): Promise<readonly Family[]> {
  const sealingKey = Buffer.from(secrets.sealingKey, "base64");
  const keyPepper = Buffer.from(secrets.channelKeyPepper, "base64");
  const store = openWholeStore({ url, sealingKey, keyPepper, connectionsMax: 4 });
  const operator = { actor: { kind: "operator" }, store } as const;
  const channel = (name: string, practices: readonly string[], held: readonly Atom[] = atoms) =>
    done(createChannel(operator, { name, practices, atoms: held, callsPerSecond: "none" }));
  try {
    for (const id of ["own", "foreign", "closed"])
      await done(createPractice(operator, { id, name: id, environment: "test" }));
    const all = await channel("All", ["own", "foreign", "closed"]);
    const task = async (practiceId: string) => open({ key: all.key, body: intake(practiceId) });
    const tasks = { foreign: await task("foreign"), closed: await task("closed") };
    await done(suspendPractice(operator, { practiceId: "closed" }));
    const { key } = await channel("Own", ["own", "closed"]);
    const { key: bare } = await channel("Without atoms but one", ["own"], ["prior_auth_void"]);
    const { key: noVoid } = await channel("Without void", ["own"], ["prior_auth_intake"]);
    const revoked = await channel("Revoked", ["own"]);
    await done(revokeKey(operator, { channelId: revoked.id }));
    const idle = await channel("Suspended", ["own"]);
    await done(suspendChannel(operator, { channelId: idle.id }));
    const changed = await channel("Another secret", ["own"]);
    const { secretHash } = createChannelKey(store);
    const kept = { secretHash: new Uint8Array(secretHash) };
    await store.prisma.channelKey.updateMany({ where: { channelId: changed.id }, data: kept });
    const get = JSON.stringify({ jsonrpc: "2.0", id: "1", method: "tasks/get", params: { id: tasks.foreign } });
    return [
      denied("intake", intake, { key, without: bare }),
      denied("void", voiding(tasks.foreign), { key, without: noVoid }, "a task out of reach"),
      ofTask("tasks/get", tasks, { key, without: bare }),
      ofTask("tasks/cancel", tasks, { key, without: bare }),
      {
        call: "any call",
        status: 401,
        causes: [
          { name: "a key nobody has", key: createChannelKey(store).key, body: get },
          { name: "another secret", key: changed.key, body: get },
          { name: "a revoked key", key: revoked.key, body: get },
          { name: "a suspended channel", key: idle.key, body: get },
        ],
      },
    ];
  } finally {
    await store.close();
  }
}

type Keys = { readonly key: string; readonly without: string };

/** `foreign`: what the call names besides its practice is out of reach, also where the practice is not. */
function denied(call: string, body: (practiceId: string) => string, { key, without }: Keys, foreign?: string): Family {
  return {
    call,
    status: 200,
    causes: [
      { name: "no such practice", key, body: body("nowhere") },
      { name: "a practice out of reach", key, body: body("foreign") },
      { name: "a suspended practice", key, body: body("closed") },
      { name: "no atom", key: without, body: body("own") },
      ...(foreign === undefined ? [] : [{ name: foreign, key, body: body("own") }]),
    ],
  };
}

function ofTask(method: string, { foreign, closed }: { foreign: string; closed: string }, keys: Keys): Family {
  const body = (id: string) => JSON.stringify({ jsonrpc: "2.0", id: "1", method, params: { id } });
  return {
    call: method,
    status: 200,
    causes: [
      { name: "a task out of reach", key: keys.key, body: body(foreign) },
      { name: "a suspended practice's task", key: keys.key, body: body(closed) },
      { name: "no atom", key: keys.without, body: body(foreign) },
      { name: "no atom, no such task", key: keys.without, body: body("01999999-9999-7999-8999-999999999999") },
    ],
  };
}

function intake(practiceId: string): string {
  return message({ skill: "prior_auth_intake", practiceId, serviceReview: smallReview });
}

function voiding(taskId: string): (practiceId: string) => string {
  return (practiceId) => message({ skill: "prior_auth_void", practiceId, taskId, reason: "Entered twice." });
}

function message(data: object): string {
  const params = { message: { role: "user", parts: [{ kind: "data", data }] } };
  return JSON.stringify({ jsonrpc: "2.0", id: "1", method: "message/send", params });
}
