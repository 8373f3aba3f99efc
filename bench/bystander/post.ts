import { Agent, request, type RequestOptions } from "node:http";
import { smallReview } from "#test/support/agents/reviews";

export type TimedAnswer = { readonly status: number; readonly text: string; readonly ms: number };

const agent = new Agent({ keepAlive: true });

/** One request over a kept-alive connection; what breaks it is status 0. */
export function ask(options: RequestOptions, body: string | Uint8Array = ""): Promise<TimedAnswer> {
  return new Promise((resolve) => {
    const began = performance.now();
    const answer = (status: number, text: string) => resolve({ status, text, ms: performance.now() - began });
    const posting = request({ host: "127.0.0.1", agent, ...options }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => void chunks.push(chunk));
      reply.on("end", () => answer(reply.statusCode ?? 0, Buffer.concat(chunks).toString()));
      reply.on("error", () => answer(0, ""));
    });
    posting.on("error", () => answer(0, ""));
    posting.end(body);
  });
}

export function post(
  { port, key }: { readonly port: number; readonly key: string },
  body: string | Uint8Array,
): Promise<TimedAnswer> {
  const length = Buffer.byteLength(body);
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}`, "content-length": length };
  return ask({ port, path: "/api/a2a", method: "POST", headers }, body);
}

export function call(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id: "1", method, params });
}

type Intake = {
  readonly practiceId: string;
  readonly taskId?: string;
  readonly notes?: readonly string[];
  /** Each file's bytes in base64. */
  readonly files?: readonly string[];
  /** Where the changes of its task are told. */
  readonly webhook?: string;
};

export function intake({ practiceId, taskId, notes = [], files = [], webhook }: Intake): string {
  const parts = [
    { kind: "data", data: { skill: "prior_auth_intake", practiceId, serviceReview: smallReview } },
    ...notes.map((text) => ({ kind: "text", text })),
    ...files.map((bytes) => ({ kind: "file", file: { bytes } })),
  ];
  const configuration = webhook === undefined ? undefined : { pushNotificationConfig: { url: webhook } };
  return call("message/send", { message: { role: "user", parts, taskId }, configuration });
}
