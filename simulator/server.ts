import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { control, type Steering } from "./control.ts";
import type { Payer } from "./core/payer.ts";
import type { Face } from "./face.ts";
import { createFaults, refusalOf, replyFaultOf } from "./faults.ts";
import { bodyOf, json, parsed, type Call, type Reply } from "./http.ts";
import { pasFace } from "./pas/face.ts";
import { createSubscriptions } from "./pas/subscriptions.ts";
import { serviceReviewFace } from "./service-review/face.ts";
import { finish, strike } from "./strike.ts";
import { createClients, type Client } from "./tokens/clients.ts";
import { tokenFace } from "./tokens/face.ts";
import { createGuard } from "./tokens/guard.ts";
import { createTokens } from "./tokens/tokens.ts";

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
};

export type Options = {
  readonly payer: Payer;
  /** A fixed bearer credential; without one, any will do. */
  readonly token?: string | undefined;
  /** Only that credential and the tokens given out are let in. */
  readonly isStrict?: boolean | undefined;
  readonly clients?: readonly Client[] | undefined;
  readonly tokenSeconds?: number | undefined;
  /** Where the subscriptions are kept across restarts. */
  readonly subscriptionsFile?: string | undefined;
  /** How long to wait before each further try of a notification. */
  readonly pushRetryMs?: readonly number[] | undefined;
  /** Told of every request once it is over; never of what was in it. */
  readonly onRequest?: ((seen: SeenRequest) => void) | undefined;
};

type Desk = Steering & { readonly faces: readonly Face[] };

/** The simulator over HTTP: one payer behind its wires, steering under /control, and /health. */
export function createSimulator(options: Options): Server {
  const desk = deskOf(options);
  return createServer({ requestTimeout: 60_000 }, (request, response) => {
    const startedAt = performance.now();
    const url = new URL(request.url ?? "/", "http://simulator");
    response.once("close", () => {
      const ms = Math.round(performance.now() - startedAt);
      const status = response.writableFinished ? response.statusCode : 0;
      options.onRequest?.({ method: request.method ?? "", path: url.pathname, status, ms });
    });
    respond(desk, { request, url, response }).catch(() => response.destroy());
  });
}

function deskOf({
  payer,
  token,
  isStrict = false,
  clients: known,
  tokenSeconds,
  subscriptionsFile,
  pushRetryMs,
}: Options): Desk {
  const faults = createFaults();
  const clients = createClients(known);
  const tokens = createTokens(tokenSeconds);
  const guard = createGuard({ tokens, credential: token, isStrict });
  const subscriptions = createSubscriptions({ payer, faults, file: subscriptionsFile, retryMs: pushRetryMs });
  return {
    payer,
    faults,
    clients,
    tokens,
    subscriptions,
    faces: [
      tokenFace({ clients, tokens }),
      serviceReviewFace({ payer, clients, tokens, isStrict }),
      pasFace({ payer, guard, subscriptions }),
    ],
  };
}

type Exchange = { readonly request: IncomingMessage; readonly url: URL; readonly response: ServerResponse };

async function respond(desk: Desk, { request, url, response }: Exchange): Promise<void> {
  const { method = "", headers } = request;
  if (method === "GET" && url.pathname === "/health") return finish(response, json(200, { status: "ok" }));
  const call: Call = { method, url, headers, body: await bodyOf(request) };
  if (url.pathname.startsWith("/control/")) return finish(response, controlled(desk, call));
  for (const face of desk.faces) {
    const opened = await face.open(call);
    if (opened === undefined) continue;
    if ("status" in opened) return finish(response, opened);
    const fault = desk.faults.next(opened.operation, opened.about);
    const refusal = fault && refusalOf(fault);
    if (fault?.fault === "token-expired") opened.expire?.();
    if (refusal) return finish(response, face.refuse(refusal, fault.retryAfterS));
    const answer = await opened.answer();
    const spoils = fault && answer.accepted ? replyFaultOf(fault) : undefined;
    return fault && spoils ? strike(response, spoils, { ...answer, ...fault }) : finish(response, answer.reply);
  }
  return finish(response, json(404, { problem: "nothing is here" }));
}

function controlled(desk: Desk, { method, url, body }: Call): Reply {
  const value = body && body.byteLength > 0 ? parsed(body) : {};
  if (value === undefined) return json(400, { problem: "the body is not JSON" });
  const reply = control(desk, { method, url, body: value });
  return reply ? json(reply.status, reply.body) : json(404, { problem: "no such control" });
}
