import { fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAudit } from "#lib/audit/store/audit-chain";
import { recordInformationRequest } from "#lib/submission/record-payer-answer";
import { releaseGate } from "#lib/gate/release-gate";
import { startManualSubmission, reportSent } from "#lib/submission/manual-submission";
import {
  actsOf,
  aChannel,
  aHeldTask,
  aStore,
  keyPepper,
  receiptKey,
  sealingKey,
  smallReview,
} from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { versions } from "#test/support/agents/sdk-clients";

const store = aStore();
afterAll(() => store.close());

let servers: readonly { readonly url: string; readonly end: () => void }[];
beforeAll(async () => {
  servers = await Promise.all([aServer(), aServer()]);
});
afterAll(() => servers.forEach(({ end }) => end()));

/** The endpoint in its own process. */
async function aServer() {
  const keys = Object.entries({ sealingKey, receiptKey, keyPepper }).map(([name, key]) => [
    name,
    key.toString("base64"),
  ]);
  const given = JSON.stringify({ url: testDatabase.appUrl, ...Object.fromEntries(keys) });
  const child = fork("test/support/agents/edge-process.ts", {
    env: { ...process.env, EDGE_STORE: given },
    execArgv: [],
  });
  // Safe because its first message is its address.
  const [url] = (await once(child, "message")) as [string];
  return { url, end: () => void child.kill("SIGKILL") };
}

/** A case of a practice with two channels, waiting for its agent or for a release. */
async function aCase(state: "transmit-held" | "payer-needs-information") {
  const held = await aHeldTask(store);
  const { practiceId, reviewer, taskId, seen, channel } = held;
  const other = await aChannel(store, { practices: [practiceId] });
  if (state === "payer-needs-information") {
    const { gateId } = seen;
    await releaseGate(reviewer, { taskId, seen });
    await startManualSubmission(reviewer, { taskId, gateId });
    await reportSent(reviewer, { taskId, gateId, delivery: "fax" });
    expect(
      await recordInformationRequest(reviewer, { taskId, informationRequest: "The imaging report." }),
    ).toMatchObject({
      ok: true,
      value: { state },
    });
  }
  // An agent of each channel at each server, with each version of the official client.
  const agents = await Promise.all(
    versions.flatMap(({ connect }) =>
      servers.flatMap(({ url }) => [channel.key, other.key].map((key) => connect(url, key))),
    ),
  );
  return { practiceId, taskId, agents };
}

describe.each([
  { count: 50, state: "transmit-held" },
  { count: 20, state: "payer-needs-information" },
] as const)(
  "$count amendments of one task at once, by official clients of two channels at two servers, $state",
  ({ count, state }) => {
    test("are all accepted in some order: each is one revision and one audit entry, and sending it again adds none", async () => {
      const its = await aCase(state);
      const before = await actsOf(store, its.taskId);
      const numbers = Array.from({ length: count }, (_, number) => number);
      const data = { skill: "prior_auth_intake", practiceId: its.practiceId, serviceReview: smallReview };
      const all = () =>
        Promise.all(
          numbers.map(async (number) => {
            const agent = its.agents[number % its.agents.length];
            return (await agent?.send(data, { taskId: its.taskId, messageId: `amendment-${number}` }))?.id;
          }),
        );
      expect(await all()).toEqual(numbers.map(() => its.taskId));
      expect(await all()).toEqual(numbers.map(() => its.taskId));
      const acts = await actsOf(store, its.taskId);
      expect(acts.slice(before.length)).toEqual(numbers.map(() => "task.amended"));
      const revisions = await store.prisma.revision.findMany({
        where: { taskId: its.taskId },
        orderBy: { number: "asc" },
      });
      expect(revisions.map(({ number }) => number)).toEqual([1, ...numbers.map((number) => number + 2)]);
      expect((await verifyAudit(store, its.practiceId)).map(({ broken }) => broken)).toEqual([undefined]);
    });
  },
);
