import type { IncomingHttpHeaders } from "node:http";
import type { Call } from "#lib/payer/connector";
import { aPayer } from "#test/support/payer/pas/listen";

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type Script = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type Clearinghouse = {
  readonly url: string;
  /** Every request but those for a token. */
  readonly seen: Request[];
  /** What tokens were asked for with. */
  readonly forms: string[];
  /** The headers of those requests. */
  readonly tokenHeaders: IncomingHttpHeaders[];
};

export const marked = { "X-Api-Mock-Response": "true" } as const;
const json = { "Content-Type": "application/json;charset=UTF-8" } as const;

/** A clearinghouse that gives every caller a token and answers as it is told; objects as JSON under the test marker. */
export async function aClearinghouse(answer: (request: Request) => Script): Promise<Clearinghouse> {
  const seen: Request[] = [];
  const forms: string[] = [];
  const tokenHeaders: IncomingHttpHeaders[] = [];
  const url = await aPayer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        if (request.url === "/v1/token") {
          tokenHeaders.push(request.headers);
          forms.push(Buffer.concat(chunks).toString("utf8"));
          response
            .writeHead(200, json)
            .end(JSON.stringify({ access_token: `token-${forms.length}`, token_type: "Bearer", expires_in: 300 }));
          return;
        }
        const whole: Request = {
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        };
        seen.push(whole);
        const { status, headers, body } = answer(whole);
        const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
        response.writeHead(status, headers ?? { ...marked, ...(text === undefined ? {} : json) }).end(text);
      });
  });
  return { url, seen, forms, tokenHeaders };
}

/** The record a clearinghouse keeps of one first request of ours, as it hands it back, with `members` over it. */
export function recordOf(call: Call | undefined, members: object = {}): Record<string, unknown> {
  // Safe because the call is a document of ours.
  const document = JSON.parse(Buffer.from(call?.body ?? []).toString("utf8")) as Record<string, unknown>;
  return { id: "SR-1", ...document, updatedDate: "2026-11-20T12:00:00.000+0000", ...members };
}

/** The record's procedures, each with these members over it. */
export function lines(call: Call | undefined, ...each: readonly object[]): object[] {
  const procedures = recordOf(call)["procedures"];
  return Array.isArray(procedures)
    ? procedures.map((procedure: object, index) => ({ ...procedure, ...each[Math.min(index, each.length - 1)] }))
    : [];
}

export const refusal = {
  userMessage: "The request is not valid.",
  developerMessage: "validation failed",
  statusCode: 400,
  reasonCode: 0,
  errors: [{ field: "procedures.code", code: "72", errorMessage: "is not covered here", index: 1 }],
};
