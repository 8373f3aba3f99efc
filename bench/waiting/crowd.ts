import { createChannel } from "#lib/channel/create-channel";
import { setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { atoms, type ChannelActor } from "#lib/access/model/actor";
import { createPractice } from "#lib/practice/create-practice";
import { cancelTask } from "#lib/task/cancel-task";
import { done } from "#test/support/people/admin";
import { choosePort } from "../../scripts/processes/ports.mjs";
import { intake, post } from "../bystander/post.ts";
import type { Operator } from "../bystander/scene.ts";
import type { Subject } from "../job.ts";

const channelsCount = 8;
const sendersCount = 32;
const changersCount = 16;

/** Eight channels with a practice each, and what is done as them. */
export type Crowd = {
  readonly receiverPort: number;
  /** What signs the deliveries of each channel. */
  readonly secrets: readonly string[];
  /** So many new tasks, spread over the channels; each stands at its gate in version 1. */
  readonly open: (count: number, webhook?: string) => Promise<readonly Subject[]>;
  /** Withdraws these, at even times within so many milliseconds, in this process and not over the endpoint. */
  readonly change: (tasks: readonly Subject[], withinMs: number) => Promise<void>;
};

export async function makeCrowd(operator: Operator, port: number, name: string): Promise<Crowd> {
  const receiverPort = await choosePort();
  const channels = await inTurn(channelsCount, async (index) => {
    const practiceId = `${name}-${index + 1}`;
    await done(createPractice(operator, { id: practiceId, name: practiceId, environment: "test" }));
    const of = { name: practiceId, practices: [practiceId], atoms, callsPerSecond: "none" } as const;
    const { id: channelId, key } = await done(createChannel(operator, of));
    const hosts = [`127.0.0.1:${receiverPort}`];
    const { secret = "" } = await done(setChannelWebhooks(operator, { channelId, hosts }));
    const actor: ChannelActor = { kind: "channel", id: channelId, practices: [practiceId], atoms };
    return { practiceId, key, secret, actor };
  });
  const actors = new Map(channels.map(({ practiceId, actor }) => [practiceId, actor]));
  const change = async ({ practiceId, taskId = "" }: Subject) => {
    const actor = actors.get(practiceId);
    if (actor) await done(cancelTask({ actor, store: operator.store }, { taskId }));
  };
  return {
    receiverPort,
    secrets: channels.map(({ secret }) => secret),
    open: async (count, webhook) => {
      return byMany(sendersCount, count, async (index) => {
        const { key, practiceId } = channels[index % channels.length] as (typeof channels)[number];
        const { status, text } = await post({ port, key }, intake({ practiceId, ...(webhook ? { webhook } : {}) }));
        const taskId = /"kind":"task","id":"([0-9a-f-]{36})"/.exec(text)?.[1];
        if (taskId === undefined) throw new Error(`An intake was answered ${status} ${text.slice(0, 300)}`);
        return { key, practiceId, taskId };
      });
    },
    change: async (tasks, withinMs) => {
      const began = performance.now();
      await byMany(changersCount, tasks.length, async (index) => {
        const at = began + (withinMs * index) / tasks.length;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
        // Safe because there are as many turns as tasks.
        await change(tasks[index] as Subject);
      });
    },
  };
}

async function inTurn<Value>(count: number, one: (index: number) => Promise<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  while (all.length < count) all.push(await one(all.length));
  return all;
}

/** So many at once, in order. */
async function byMany<Value>(
  atOnce: number,
  count: number,
  one: (index: number) => Promise<Value>,
): Promise<readonly Value[]> {
  const all: Value[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next++;
      all[index] = await one(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return all;
}
