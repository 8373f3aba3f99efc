import { randomUUID } from "node:crypto";
import { Role, type AgentCard } from "@a2a-js/sdk";
import {
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";

/** What this agent reads of a task: A2A's members and the service's own. */
export type Task = {
  readonly id: string;
  readonly state: string;
  readonly status: {
    readonly state: string;
    readonly timestamp: string;
    readonly message?: { readonly parts: Part[] };
  };
  readonly nextAction: { readonly by: string; readonly what: string };
  readonly missing?: readonly string[];
  readonly payerReference?: string;
  readonly determination?: Determination;
  readonly clock?: { readonly known: boolean; readonly dueAt?: string; readonly overdue?: boolean };
  readonly artifacts: readonly { readonly artifactId: string; readonly parts: readonly Part[] }[];
};

type Part = { readonly text?: string };

type Determination = {
  readonly outcome: string;
  readonly authorizationNumber?: string;
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly notes: readonly string[];
};

export type Service = {
  readonly card: AgentCard;
  readonly send: (message: OutgoingMessage) => Promise<Task>;
  readonly get: (taskId: string) => Promise<Task>;
  /** How long the last reply asked to wait; undefined where it did not. */
  readonly retryAfterMs: () => number | undefined;
};

/** What a message says: the request, a note to the reviewer, and attachments. */
export type OutgoingMessage = {
  readonly data: Record<string, unknown>;
  readonly note: string;
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
};

export type Connecting = { readonly url: string; readonly key: string; readonly signal: AbortSignal };

/** Discovers the service by its card and speaks A2A 0.3 to it with the official client, as its `legacyCompat` does. */
export async function connect({ url, key, signal }: Connecting): Promise<Service> {
  const listener = listenIn();
  const authorization = { headers: async () => ({ authorization: `Bearer ${key}` }), shouldRetryWithHeaders };
  const legacyCompat = { enabled: true };
  const fetchImpl = createAuthenticatingFetchWithRetry(listener.fetch, authorization);
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
    // Discovery is public, so the key stays out of it.
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  });
  const client = await factory.createFromUrl(url);
  return {
    card: await client.getAgentCard(),
    send: async (message) => {
      await client.sendMessage(
        { tenant: "", message: messageOf(message), configuration, metadata: undefined },
        { signal },
      );
      return listener.task();
    },
    get: async (id) => {
      await client.getTask({ tenant: "", id, historyLength: undefined }, { signal });
      return listener.task();
    },
    retryAfterMs: listener.retryAfterMs,
  };
}

/** A key is right or wrong; asking again with it changes nothing. */
async function shouldRetryWithHeaders(): Promise<undefined> {
  return undefined;
}

// The service answers at once whatever is asked here; this says that the agent knows.
const configuration = {
  returnImmediately: true,
  acceptedOutputModes: ["application/json"],
  taskPushNotificationConfig: undefined,
};

/** With its `messageId` the message may be sent again after a lost reply: nothing is done twice. */
function messageOf({ data, note, files }: OutgoingMessage) {
  const plain = { metadata: undefined, filename: "", mediaType: "" };
  // What a file is, the service finds out from its bytes.
  const fileParts = files.map(({ name, bytes }) => ({
    ...plain,
    content: { $case: "raw" as const, value: bytes },
    filename: name,
  }));
  return {
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: "data" as const, value: data }, ...plain },
      { content: { $case: "text" as const, value: note }, ...plain },
      ...fileParts,
    ],
    contextId: "",
    taskId: "",
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

/** The SDK hands on A2A's members of a task and drops the service's own, so each reply is also read here. */
function listenIn() {
  let task: Task | undefined;
  let retryAfterS: number | undefined;
  const listening: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const after = response.headers.get("retry-after");
    retryAfterS = after === null ? undefined : Number(after);
    // Safe because the SDK refuses a reply that is none before anybody asks for the task.
    task = ((await response.clone().json()) as { result?: Task }).result;
    return response;
  };
  return {
    fetch: listening,
    retryAfterMs: () => (retryAfterS === undefined ? undefined : retryAfterS * 1000),
    task: (): Task => {
      if (!task) throw new Error("The reply held no task.");
      return task;
    },
  };
}
