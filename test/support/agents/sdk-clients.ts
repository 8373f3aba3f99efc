import { AsyncLocalStorage } from "node:async_hooks";
import { Role, TaskState, type Part as Part10, type Task as Task10 } from "@a2a-js/sdk";
import * as sdk10 from "@a2a-js/sdk/client";
import {
  isJsonRpcError,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
} from "@a2a-js/sdk/errors";
import type { Task as Task02 } from "a2a-sdk-0.2";
import * as sdk02 from "a2a-sdk-0.2/client";
import type { Part as Part03, Task as Task03 } from "a2a-sdk-0.3";
import * as sdk03 from "a2a-sdk-0.3/client";
import { v7 as uuidv7 } from "uuid";

/** A task as a client hands it to its agent, in words the versions share. */
export type SeenTask = {
  readonly id: string;
  readonly contextId: string;
  readonly state: string;
  readonly says: string | undefined;
  /** The `data` of the status's message. */
  readonly data: unknown;
  /** The `data` of the parts of each message of the history, and of each artifact. */
  readonly history: readonly unknown[];
  readonly artifacts: readonly unknown[];
  /** The files of the messages of the history. */
  readonly files: readonly ClientFile[];
  readonly metadata: unknown;
};

/** A file as an agent hands it to its client, or gets it from it. */
export type ClientFile = { readonly name: string; readonly mediaType: string; readonly bytes: Buffer };

export type Message = {
  readonly messageId?: string;
  readonly taskId?: string;
  readonly historyLength?: number;
  readonly files?: readonly ClientFile[];
};

export type OfficialClient = {
  readonly skills: readonly string[];
  readonly send: (data: object, options?: Message) => Promise<SeenTask>;
  readonly get: (id: string, historyLength?: number) => Promise<SeenTask>;
  readonly cancel: (id: string) => Promise<SeenTask>;
};

/** An official client version: how it connects, and what it calls the errors that this service has. */
export type Version = {
  readonly name: string;
  readonly connect: (url: string, key: string | undefined) => Promise<OfficialClient>;
  readonly codeOf: (error: unknown) => number | undefined;
  readonly dataOf: (error: unknown) => unknown;
  readonly notFound: abstract new (...args: never) => Error;
  readonly notCancelable: abstract new (...args: never) => Error;
  readonly notAuthorised: abstract new (...args: never) => Error;
  /** Whether it can tell what a reply says whose HTTP status is no success, such as 401. */
  readonly readsHttpErrors: boolean;
};

function fetchWith(key: string | undefined, by: typeof fetch = fetch): typeof fetch {
  if (key === undefined) return by;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${key}`);
    return by(input, { ...init, headers });
  };
}

/** Version 0.2.5 gives a refusal back as a value and has no names for the codes; here it is thrown, as the later ones do. */
class Refused02 extends Error {
  readonly errorResponse: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.error.code}`);
    this.errorResponse = reply;
  }
}
class NotFound02 extends Refused02 {}
class NotCancelable02 extends Refused02 {}
class NotAuthorised02 extends Refused02 {}
const refusals02 = new Map([
  [-32_001, NotFound02],
  [-32_002, NotCancelable02],
  [-32_003, NotAuthorised02],
]);

/** Version 0.2.5 has no place for a credential, so that its agents send one with every fetch of theirs. */
const keyOfCall = new AsyncLocalStorage<string | undefined>();
const fetchAsItIs = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const key = keyOfCall.getStore();
  return (key === undefined ? fetchAsItIs : fetchWith(key, fetchAsItIs))(input, init);
};

const version02: Version = {
  name: "0.2.5",
  connect: async (url, key) => {
    const client = new sdk02.A2AClient(url);
    const seen = async (call: () => Promise<object>): Promise<SeenTask> => {
      const reply = await keyOfCall.run(key, call);
      // Safe because a reply of JSON-RPC has either an error or a result, and each of these calls results in a task.
      if ("error" in reply) {
        const refused = reply as Reply;
        throw new (refusals02.get(refused.error.code) ?? Refused02)(refused);
      }
      return seen03((reply as { readonly result: Task02 }).result);
    };
    return {
      skills: (await client.getAgentCard()).skills.map(({ id }) => id),
      send: (data, { messageId = uuidv7(), taskId, historyLength, files = [] } = {}) => {
        const parts = [{ kind: "data" as const, data: { ...data } }, ...files.map(filePart)];
        const message = {
          kind: "message" as const,
          role: "user" as const,
          messageId,
          parts,
          ...(taskId && { taskId }),
        };
        const configuration = { acceptedOutputModes: ["application/json"], ...(historyLength && { historyLength }) };
        return seen(() => client.sendMessage({ message, configuration }));
      },
      get: (id, historyLength) => seen(() => client.getTask({ id, ...(historyLength && { historyLength }) })),
      cancel: (id) => seen(() => client.cancelTask({ id })),
    };
  },
  codeOf: (error) => replyIn(error)?.error.code,
  dataOf: (error) => replyIn(error)?.error.data,
  notFound: NotFound02,
  notCancelable: NotCancelable02,
  notAuthorised: NotAuthorised02,
  readsHttpErrors: false,
};

function filePart({ name, mediaType: mimeType, bytes }: ClientFile) {
  return { kind: "file" as const, file: { name, mimeType, bytes: bytes.toString("base64") } };
}

const version03: Version = {
  name: "0.3.14",
  connect: async (url, key) => {
    const factory = new sdk03.ClientFactory({
      transports: [new sdk03.JsonRpcTransportFactory({ fetchImpl: fetchWith(key) })],
      cardResolver: new sdk03.DefaultAgentCardResolver(),
    });
    const client = await factory.createFromUrl(url);
    return {
      skills: (await client.getAgentCard()).skills.map(({ id }) => id),
      send: async (data, { messageId = uuidv7(), taskId, historyLength, files = [] } = {}) => {
        const parts = [{ kind: "data" as const, data: { ...data } }, ...files.map(filePart)];
        const message = {
          kind: "message" as const,
          role: "user" as const,
          messageId,
          parts,
          ...(taskId ? { taskId } : {}),
        };
        const configuration = {
          acceptedOutputModes: ["application/json"],
          ...(historyLength ? { historyLength } : {}),
        };
        const sent = await client.sendMessage({ message, configuration });
        if (sent.kind !== "task") throw new Error("The reply is no task.");
        return seen03(sent);
      },
      get: async (id, historyLength) =>
        seen03(await client.getTask({ id, ...(historyLength ? { historyLength } : {}) })),
      cancel: async (id) => seen03(await client.cancelTask({ id })),
    };
  },
  codeOf: (error) => replyIn(error)?.error.code,
  dataOf: (error) => replyIn(error)?.error.data,
  notFound: sdk03.TaskNotFoundError,
  notCancelable: sdk03.TaskNotCancelableError,
  notAuthorised: sdk03.PushNotificationNotSupportedError,
  readsHttpErrors: true,
};

function seen03({ id, contextId, status, history = [], artifacts = [], metadata }: Task03): SeenTask {
  const dataOf = ({ parts }: { readonly parts: readonly Part03[] }) =>
    parts.flatMap((part) => (part.kind === "data" ? [part.data] : []));
  const filesOf = ({ parts }: { readonly parts: readonly Part03[] }) =>
    parts.flatMap((part): ClientFile[] => {
      if (part.kind !== "file" || !("bytes" in part.file)) return [];
      const { name = "", mimeType: mediaType = "", bytes } = part.file;
      return [{ name, mediaType, bytes: Buffer.from(bytes, "base64") }];
    });
  const [part] = status.message?.parts ?? [];
  return {
    id,
    contextId,
    state: status.state,
    says: part?.kind === "text" ? part.text : undefined,
    data: status.message && dataOf(status.message)[0],
    history: history.flatMap(dataOf),
    artifacts: artifacts.flatMap(dataOf),
    files: history.flatMap(filesOf),
    metadata,
  };
}

type Reply = { readonly error: { readonly code: number; readonly data?: unknown } };

function replyIn(error: unknown): Reply | undefined {
  return error instanceof Error && "errorResponse" in error ? (error.errorResponse as Reply) : undefined;
}

const version10: Version = {
  name: "1.3.0 with legacyCompat",
  connect: async (url, key) => {
    const legacyCompat = { enabled: true };
    const factory = new sdk10.ClientFactory({
      transports: [new sdk10.JsonRpcTransportFactory({ fetchImpl: fetchWith(key), legacyCompat })],
      cardResolver: new sdk10.DefaultAgentCardResolver({ legacyCompat }),
    });
    const client = await factory.createFromUrl(url);
    return {
      skills: (await client.getAgentCard()).skills.map(({ id }) => id),
      send: async (data, { messageId = uuidv7(), taskId = "", historyLength, files = [] } = {}) => {
        const part = {
          content: { $case: "data" as const, value: data },
          metadata: undefined,
          filename: "",
          mediaType: "",
        };
        const bare = { contextId: "", metadata: undefined, extensions: [], referenceTaskIds: [] };
        const fileParts = files.map(({ name: filename, mediaType, bytes }) => ({
          content: { $case: "raw" as const, value: bytes },
          metadata: undefined,
          filename,
          mediaType,
        }));
        const message = { messageId, taskId, role: Role.ROLE_USER, parts: [part, ...fileParts], ...bare };
        const configuration = {
          acceptedOutputModes: [],
          returnImmediately: true,
          historyLength,
          taskPushNotificationConfig: undefined,
        };
        const sent = await client.sendMessage({ tenant: "", message, configuration, metadata: undefined });
        if (!("status" in sent)) throw new Error("The reply is no task.");
        return seen10(sent);
      },
      get: async (id, historyLength) => seen10(await client.getTask({ tenant: "", id, historyLength })),
      cancel: async (id) => seen10(await client.cancelTask({ tenant: "", id, metadata: undefined })),
    };
  },
  codeOf: (error) => (isJsonRpcError(error) ? error.envelopeCode : undefined),
  dataOf: (error) => (isJsonRpcError(error) ? error.data : undefined),
  notFound: TaskNotFoundError,
  notCancelable: TaskNotCancelableError,
  notAuthorised: PushNotificationNotSupportedError,
  readsHttpErrors: true,
};

const statesByNumber: Readonly<Partial<Record<TaskState, string>>> = {
  [TaskState.TASK_STATE_WORKING]: "working",
  [TaskState.TASK_STATE_INPUT_REQUIRED]: "input-required",
  [TaskState.TASK_STATE_COMPLETED]: "completed",
  [TaskState.TASK_STATE_CANCELED]: "canceled",
  [TaskState.TASK_STATE_REJECTED]: "rejected",
  [TaskState.TASK_STATE_FAILED]: "failed",
};

function seen10({ id, contextId, status, history, artifacts, metadata }: Task10): SeenTask {
  type Holder = { readonly parts: readonly Part10[] };
  const contentsOf = ({ parts }: Holder) => parts.map(({ content }) => content);
  const dataOf = (holder: Holder) =>
    contentsOf(holder).flatMap((content) => (content?.$case === "data" ? [content.value] : []));
  const filesOf = ({ parts }: Holder) =>
    parts.flatMap(({ content, filename: name, mediaType }): ClientFile[] =>
      content?.$case === "raw" ? [{ name, mediaType, bytes: content.value }] : [],
    );
  const content = status?.message && contentsOf(status.message)[0];
  return {
    id,
    contextId,
    state: (status && statesByNumber[status.state]) ?? "unknown",
    says: content?.$case === "text" ? content.value : undefined,
    data: status?.message && dataOf(status.message)[0],
    history: history.flatMap(dataOf),
    artifacts: artifacts.flatMap(dataOf),
    files: history.flatMap(filesOf),
    metadata,
  };
}

/** The official clients that agents are written with today. */
export const versions: readonly Version[] = [version02, version03, version10];
