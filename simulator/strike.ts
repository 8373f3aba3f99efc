import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type { Answer } from "./face.ts";
import type { Fault, ReplyFault } from "./faults.ts";
import type { Reply } from "./http.ts";

const blanks = Buffer.alloc(1_000_000, " ");

/** Spoils the reply to a request that was accepted; over once the reply is, or its reader is gone. */
export async function strike(
  response: ServerResponse,
  fault: ReplyFault,
  { reply, spoiled, ms, mb, retryAfterS }: Answer & Pick<Fault, "ms" | "mb" | "retryAfterS">,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  switch (fault) {
    case "drop":
      response.destroy();
      return;
    case "truncate":
      response.writeHead(200, { ...headOf(reply), "Content-Length": Buffer.byteLength(reply.body) });
      response.write(reply.body.slice(0, reply.body.length / 2), () => response.destroy());
      return;
    case "slow":
      await sleep(ms, undefined, { signal: gone.signal });
      return finish(response, reply);
    case "drip":
      response.writeHead(reply.status, { ...headOf(reply), "Content-Length": Buffer.byteLength(reply.body) });
      for (const byte of Buffer.from(reply.body)) {
        response.write(Buffer.of(byte));
        await sleep(ms, undefined, { signal: gone.signal });
      }
      response.end();
      return;
    case "html":
      return finish(response, { status: 200, type: "text/html", body: "<!doctype html><title>Maintenance</title>" });
    case "huge":
      response.writeHead(reply.status, headOf(reply));
      return pipeline(Readable.from(padded(reply.body, mb)), response);
    case "gzip-bomb":
      response.writeHead(reply.status, { ...headOf(reply), "Content-Encoding": "gzip" });
      return pipeline(Readable.from(padded(reply.body, mb)), createGzip(), response);
    case "wrong-id":
    case "wrong-trace":
    case "unmarked":
    case "nothing-found":
    case "live-marked":
    case "partial-units":
    case "other-procedure":
    case "future-date":
    case "brother":
    case "header-only":
      return finish(response, spoiled(fault));
    case "duplicate":
      return finish(response, outcome(422, "duplicate"));
    case "forbidden":
      return finish(response, outcome(403, "forbidden"));
    case "error-500":
      return finish(response, { status: 500, type: "text/plain", body: "internal error" });
    case "error-503": {
      const headers = { "Retry-After": String(retryAfterS) };
      return finish(response, { status: 503, type: "text/plain", body: "unavailable", headers });
    }
  }
}

function outcome(status: number, code: string): Reply {
  const body = { resourceType: "OperationOutcome", issue: [{ severity: "error", code }] };
  return { status, type: "application/fhir+json", body: JSON.stringify(body) };
}

function* padded(body: string, mb: number): Generator<Buffer> {
  for (let at = 0; at < mb; at += 1) yield blanks;
  yield Buffer.from(body);
}

/** Sends a reply as it is. */
export function finish(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, headOf(reply));
  response.end(reply.body);
}

function headOf({ type, headers = {} }: Reply) {
  return { "Content-Type": type, "Cache-Control": "no-store", ...headers };
}
