import { Role, TaskState } from "@a2a-js/sdk";
import * as sdk10 from "@a2a-js/sdk/client";
import * as sdk03 from "a2a-sdk-0.3/client";
import { v7 as uuidv7 } from "uuid";
import { afterAll, describe, expect, test } from "vitest";
import { a2aListener } from "#lib/http/a2a-listener";
import { createFront } from "#lib/http/front";
import { aChannel, aPractice, aStore, smallReview } from "#test/cases";
import { edgeDeps } from "#test/edge";
import { listening } from "#test/served";
import { agentCard } from "./agent-card.ts";

const store = aStore();
const server = createFront({
  byPath: { "/api/a2a": a2aListener(edgeDeps(store)) },
  rest: (incoming, outgoing) => {
    const isCard = incoming.url === "/.well-known/agent-card.json";
    outgoing.writeHead(isCard ? 200 : 404, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(isCard ? agentCard(url) : {}));
  },
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

const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });
function withKey(given: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${given}`);
    return fetch(input, { ...init, headers });
  };
}

const intake = { skill: "prior_auth_intake", practiceId, serviceReview: smallReview };

describe("the official client 0.3.14", () => {
  const connect = (given = key) => {
    const options = { fetchImpl: withKey(given) };
    const factory = new sdk03.ClientFactory({
      transports: [new sdk03.JsonRpcTransportFactory(options)],
      cardResolver: new sdk03.DefaultAgentCardResolver(options),
    });
    return factory.createFromUrl(url);
  };
  const message = (data: object = intake, more: object = {}) => ({
    message: {
      kind: "message" as const,
      role: "user" as const,
      messageId: uuidv7(),
      parts: [{ kind: "data" as const, data: { ...data } }],
      ...more,
    },
  });

  test("discovers the card, sends, polls and withdraws", async () => {
    const client = await connect();
    const sent = await client.sendMessage({
      ...message(),
      configuration: { blocking: false, acceptedOutputModes: ["application/json"] },
    });
    if (sent.kind !== "task") throw new Error("no task");
    expect(sent.status.state).toBe("working");
    const polled = await client.getTask({ id: sent.id, historyLength: 1 });
    expect(polled).toMatchObject({
      id: sent.id,
      contextId: sent.contextId,
      history: [{ role: "user", parts: [{ data: intake }] }],
    });
    expect((await client.cancelTask({ id: sent.id })).status.state).toBe("canceled");
  });

  test("is told what is wrong", async () => {
    const client = await connect();
    await expect(client.getTask({ id: uuidv7() })).rejects.toThrow(sdk03.TaskNotFoundError);
    await expect(client.sendMessage(message({ ...intake, skill: "other" }))).rejects.toThrow(/Invalid params/);
    const strange = await connect("pa_unknown");
    // What A2A calls the interface document's -32003.
    await expect(strange.sendMessage(message())).rejects.toThrow(sdk03.PushNotificationNotSupportedError);
  });
});

describe("the official client 1.3.0 in its compatibility with 0.3", () => {
  const connect = (given = key) => {
    const options = { fetchImpl: withKey(given), legacyCompat: { enabled: true } };
    const factory = new sdk10.ClientFactory({
      transports: [new sdk10.JsonRpcTransportFactory(options)],
      cardResolver: new sdk10.DefaultAgentCardResolver(options),
    });
    return factory.createFromUrl(url);
  };
  const message = (data: object = intake) => ({
    tenant: "",
    message: {
      messageId: uuidv7(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [{ content: { $case: "data" as const, value: data }, metadata: undefined, filename: "", mediaType: "" }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  });

  test("discovers the card, sends, polls and withdraws", async () => {
    const client = await connect();
    const sent = await client.sendMessage(message());
    if (!("status" in sent)) throw new Error("no task");
    const polled = await client.getTask({ tenant: "", id: sent.id, historyLength: 1 });
    expect(polled.id).toBe(sent.id);
    expect(polled.history[0]?.parts[0]?.content).toEqual({ $case: "data", value: intake });
    const canceled = await client.cancelTask({ tenant: "", id: sent.id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  test("is told what is wrong", async () => {
    const client = await connect();
    await expect(client.getTask({ tenant: "", id: uuidv7(), historyLength: undefined })).rejects.toThrow(/not found/i);
    await expect(client.sendMessage(message({ ...intake, skill: "other" }))).rejects.toThrow(/Invalid params/);
  });
});
