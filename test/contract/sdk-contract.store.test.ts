import type { RequestListener } from "node:http";
import { v7 as uuidv7 } from "uuid";
import { afterAll, describe, expect, test } from "vitest";
import { agentCard } from "#lib/a2a/card/agent-card";
import { a2aListener } from "#lib/a2a/listener";
import { answer, createFront } from "#lib/platform/http/front";
import { declineGate } from "#lib/gate/decline-gate";
import { recordDetermination, recordVoided, recordInformationRequest } from "#lib/submission/record-payer-answer";
import { releaseGate } from "#lib/gate/release-gate";
import { startManualSubmission, reportSent } from "#lib/submission/manual-submission";
import { aChannel, aHeldTask, aPractice, aRoute, aStore, smallReview } from "#test/support/cases/cases";
import { edgeDeps } from "#test/support/agents/edge";
import { aPdf, aPng } from "#test/support/agents/files";
import { versions } from "#test/support/agents/sdk-clients";
import { listening } from "#test/support/servers/served";

const store = aStore();
const card: RequestListener = (_, outgoing) =>
  answer(outgoing, {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(agentCard(url)),
  });
// As server.ts mounts it; the card is what the pages would serve, at the address of A2A 0.3 and at that of 0.2.
const server = createFront({
  byPath: {
    "/api/a2a": a2aListener(edgeDeps(store)),
    "/.well-known/agent-card.json": card,
    "/.well-known/agent.json": card,
  },
  rest: (_, outgoing) => answer(outgoing, { status: 404, headers: {}, body: "" }),
  upgrades: () => false,
  onError: (error) => {
    throw error;
  },
});
const url = await listening(server);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await store.close();
});

describe.each(versions)(
  "the official client $name",
  ({ connect, codeOf, dataOf, notFound, notCancelable, notAuthorised, readsHttpErrors }) => {
    /** A client of a channel of its own, and an intake for its practice. */
    async function aClient() {
      const practiceId = await aPractice(store);
      const { key } = await aChannel(store, { practices: [practiceId] });
      const intake = { skill: "prior_auth_intake", practiceId, serviceReview: smallReview };
      return { client: await connect(url, key), practiceId, intake };
    }

    const refusalOf = async (call: Promise<unknown>): Promise<unknown> => {
      const settled = await call.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (settled === undefined) throw new Error("The call was not refused.");
      return settled;
    };

    test("finds the endpoint and the skills by the card", async () => {
      const { client } = await aClient();
      expect(client.skills).toEqual(["prior_auth_intake", "prior_auth_void"]);
    });

    test("sends an intake and is told at once that it waits for a reviewer", async () => {
      const { client, intake } = await aClient();
      const sent = await client.send(intake);
      expect(sent).toMatchObject({
        state: "working",
        says: expect.stringMatching(/^A reviewer of the practice is asked/),
        history: [],
        metadata: { state: "transmit-held", nextAction: { by: "reviewer", what: expect.any(String) } },
      });
    });

    test("reads what it sent from the history, when it asks for one", async () => {
      const { client, intake } = await aClient();
      const sent = await client.send(intake, { historyLength: 1 });
      expect(sent.history).toEqual([intake]);
      expect(await client.get(sent.id, 1)).toEqual({ ...sent, data: expect.any(Object) });
      expect((await client.get(sent.id)).history).toEqual([]);
    });

    test("sends files, and has them back from the history byte for byte", async () => {
      const { client, intake } = await aClient();
      const files = [
        { name: "Order.pdf", mediaType: "application/pdf", bytes: Buffer.from(aPdf("order")) },
        { name: "scan.png", mediaType: "", bytes: Buffer.from(aPng()) },
      ];
      const sent = await client.send(intake, { files, historyLength: 1 });
      expect(sent).toMatchObject({ state: "working", history: [intake] });
      expect(sent.files).toEqual(files);
      expect((await client.get(sent.id, 1)).files).toEqual(files);
    });

    test("is told which file will not do", async () => {
      const { client, intake } = await aClient();
      const files = [{ name: "a.pdf", mediaType: "image/png", bytes: Buffer.from(aPdf("order")) }];
      const refused = await refusalOf(client.send(intake, { files }));
      expect(codeOf(refused)).toBe(-32_602);
      expect(dataOf(refused)).toEqual({
        requestId: expect.any(String),
        issues: [
          { path: "/message/parts/1/file/mimeType", problem: "is not what the bytes are, which is application/pdf" },
        ],
      });
    });

    test("sends the same message twice and makes one task", async () => {
      const { client, intake } = await aClient();
      const messageId = uuidv7();
      const [one, other] = await Promise.all([client.send(intake, { messageId }), client.send(intake, { messageId })]);
      expect(other.id).toBe(one.id);
    });

    test("is asked for what is missing, and continues the task with it", async () => {
      const { client, practiceId, intake } = await aClient();
      await aRoute(store, { practiceId });
      const { payer, ...rest } = smallReview;
      const short = { ...intake, serviceReview: { ...rest, payer: { ...payer, id: "87042" } } };
      const sent = await client.send(short);
      expect(sent).toMatchObject({
        state: "input-required",
        says: expect.stringContaining("Missing: "),
        data: {
          missing: expect.arrayContaining(["/patient/birthDate"]),
          problems: expect.arrayContaining([
            {
              path: "/patient/birthDate",
              problem: "is missing",
              fix: "Send it; it must be a calendar date YYYY-MM-DD from 1900 to 2199.",
            },
          ]),
          warnings: [{ code: "no-patient", path: "", problem: "No patient is named." }],
          gate: null,
          nextAction: { by: "agent", what: expect.any(String) },
        },
      });
      const continued = await client.send(
        { ...short, serviceReview: { ...short.serviceReview, fromDate: "2027-01-11" } },
        { taskId: sent.id },
      );
      expect(continued).toMatchObject({ id: sent.id, contextId: sent.contextId, state: "input-required" });
    });

    test("withdraws, and again without a change", async () => {
      const { client, intake } = await aClient();
      const { id } = await client.send(intake);
      const withdrawn = await client.cancel(id);
      expect(withdrawn.state).toBe("canceled");
      expect(await client.cancel(id)).toEqual(withdrawn);
    });

    test("sees the determination as a completed task with an artifact", async () => {
      const { channel, reviewer, taskId, seen } = await aHeldTask(store);
      await releaseGate(reviewer, { taskId, seen });
      const sent = { taskId, gateId: seen.gateId };
      await startManualSubmission(reviewer, sent);
      await reportSent(reviewer, { delivery: "fax", ...sent, reference: "R-1" });
      await recordDetermination(reviewer, {
        taskId,
        outcome: "approved",
        authorizationNumber: "A-1",
        evidence: "A letter.",
      });
      const client = await connect(url, channel.key);
      expect(await client.get(taskId)).toMatchObject({
        state: "completed",
        artifacts: [
          { outcome: "approved", authorizationNumber: "A-1", version: 1, environment: "test" },
          { action: "transmit", payerReference: "R-1", traceNumber: `${taskId}-1-T`, byHand: true },
        ],
      });
    });

    test("reads what the payer wants, and what became of a void, from artifacts", async () => {
      const { channel, reviewer, practiceId, taskId, seen } = await aHeldTask(store);
      await releaseGate(reviewer, { taskId, seen });
      const sent = { taskId, gateId: seen.gateId };
      await startManualSubmission(reviewer, sent);
      await reportSent(reviewer, { ...sent, delivery: "fax" });
      await recordInformationRequest(reviewer, { taskId, informationRequest: "The operative report." });
      const client = await connect(url, channel.key);
      expect(await client.get(taskId)).toMatchObject({
        state: "input-required",
        artifacts: [{ text: "The operative report.", items: [], environment: "test" }, { action: "transmit" }],
      });
      const data = { skill: "prior_auth_void", practiceId, taskId, reason: "Cancelled." };
      const requested = await client.send(data, { taskId });
      expect(requested.artifacts.at(-1)).toMatchObject({ result: "pending" });
      await recordVoided(reviewer, { taskId, evidence: "By phone." });
      const voided = await client.get(taskId);
      expect(voided).toMatchObject({ state: "canceled" });
      expect(voided.artifacts.at(-1)).toMatchObject({ result: "done", by: "payer", at: expect.any(String) });
    });

    test("is told that there is no such task", async () => {
      const { client, intake } = await aClient();
      expect(await refusalOf(client.get(uuidv7()))).toBeInstanceOf(notFound);
      expect(await refusalOf(client.cancel(uuidv7()))).toBeInstanceOf(notFound);
      expect(await refusalOf(client.send(intake, { taskId: uuidv7() }))).toBeInstanceOf(notFound);
    });

    test("is told that a task can no longer be withdrawn, and in which state it is", async () => {
      const { channel, reviewer, taskId, seen } = await aHeldTask(store);
      await declineGate(reviewer, { taskId, seen, reason: "Not ours." });
      const client = await connect(url, channel.key);
      const refused = await refusalOf(client.cancel(taskId));
      expect(refused).toBeInstanceOf(notCancelable);
      expect(dataOf(refused)).toEqual({ state: "declined", requestId: expect.any(String) });
    });

    test("is told what is wrong with its params, by path", async () => {
      const { client, intake } = await aClient();
      const refused = await refusalOf(client.send({ ...intake, serviceReview: { ...smallReview, procedures: [] } }));
      expect(codeOf(refused)).toBe(-32_602);
      expect(dataOf(refused)).toEqual({
        requestId: expect.any(String),
        issues: [
          { path: "/message/parts/0/data/serviceReview/procedures", problem: "must have at least one procedure" },
        ],
      });
    });

    // The code is the interface document's; A2A's libraries have another name for it.
    test("is denied under the name its library has for -32003", async () => {
      const { client, intake } = await aClient();
      const elsewhere = await refusalOf(client.send({ ...intake, practiceId: await aPractice(store) }));
      const keyless = await refusalOf((await connect(url, undefined)).send(intake));
      const unknownKey = await refusalOf((await connect(url, "pa_unknown")).send(intake));
      // The body of a 401 is what an older version asks for twice; it tells its agent that much and no more.
      if (!readsHttpErrors) for (const refused of [keyless, unknownKey]) expect(refused).toBeInstanceOf(TypeError);
      for (const refused of readsHttpErrors ? [elsewhere, keyless, unknownKey] : [elsewhere]) {
        expect(refused).toBeInstanceOf(notAuthorised);
        expect(codeOf(refused)).toBe(-32_003);
        expect(dataOf(refused)).toBeUndefined();
      }
    });
  },
);
