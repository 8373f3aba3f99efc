import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { control } from "./control.ts";
import type { Payer } from "./core/payer.ts";
import type { Face } from "./face.ts";
import { createFaults, faults, type Faults } from "./faults.ts";
import { bodyOf, json, parsed, type Call } from "./http.ts";
import { pasFace } from "./pas/face.ts";
import { finish, strike } from "./strike.ts";

export type Seen = { readonly method: string; readonly path: string; readonly status: number; readonly ms: number };

type Options = {
  readonly payer: Payer;
  /** The bearer credential /fhir asks for; without one, any will do. */
  readonly token?: string | undefined;
  /** Told of every request once it is over; never of what was in it. */
  readonly onRequest?: ((seen: Seen) => void) | undefined;
};

type Desk = { readonly payer: Payer; readonly faults: Faults; readonly faces: readonly Face[] };

/** The simulator over HTTP: one payer behind its wires, steering under /control, and /health. */
export function createSimulator({ payer, token, onRequest }: Options): Server {
  const desk: Desk = { payer, faults: createFaults(), faces: [pasFace({ payer, token })] };
  return createServer({ requestTimeout: 60_000 }, (request, response) => {
    const startedAt = performance.now();
    const url = new URL(request.url ?? "/", "http://simulator");
    response.once("close", () => {
      const ms = Math.round(performance.now() - startedAt);
      const status = response.writableFinished ? response.statusCode : 0;
      onRequest?.({ method: request.method ?? "", path: url.pathname, status, ms });
    });
    respond(desk, { request, url, response }).catch(() => response.destroy());
  });
}

type Exchange = { readonly request: IncomingMessage; readonly url: URL; readonly response: ServerResponse };

async function respond(desk: Desk, { request, url, response }: Exchange): Promise<void> {
  const { method = "", headers } = request;
  if (method === "GET" && url.pathname === "/health") return finish(response, json(200, { status: "ok" }));
  const call: Call = { method, url, headers, body: await bodyOf(request) };
  if (url.pathname.startsWith("/control/")) return finish(response, controlled(desk, call));
  for (const face of desk.faces) {
    const asked = await face.open(call);
    if (asked === undefined) continue;
    if ("status" in asked) return finish(response, asked);
    const fault = desk.faults.next(asked.operation);
    const refusal = fault && faults[fault.fault].refusal;
    if (refusal) return finish(response, face.refuse(refusal));
    const answer = asked.answer();
    return fault && answer.accepted ? strike(response, fault, answer) : finish(response, answer.reply);
  }
  return finish(response, json(404, { problem: "nothing is here" }));
}

function controlled(desk: Desk, { method, url, body }: Call) {
  const value = body && body.byteLength > 0 ? parsed(body) : {};
  if (value === undefined) return json(400, { problem: "the body is not JSON" });
  const reply = control(desk, { method, url, body: value });
  return reply ? json(reply.status, reply.body) : json(404, { problem: "no such control" });
}
