import type { ServerResponse } from "node:http";
import type { Answer } from "./face.ts";
import type { Fault } from "./faults.ts";
import type { Reply } from "./http.ts";

/** Spoils the reply to a request that was accepted. */
export function strike(response: ServerResponse, { fault, ms }: Fault, { reply, mixedUp, unmarked }: Answer): void {
  switch (fault) {
    case "drop":
      response.destroy();
      return;
    case "truncate":
      response.writeHead(200, { "Content-Type": reply.type, "Content-Length": Buffer.byteLength(reply.body) });
      response.write(reply.body.slice(0, reply.body.length / 2), () => response.destroy());
      return;
    case "slow": {
      const timer = setTimeout(() => finish(response, reply), ms);
      response.once("close", () => clearTimeout(timer));
      return;
    }
    case "html":
      return finish(response, { status: 200, type: "text/html", body: "<!doctype html><title>Maintenance</title>" });
    case "huge":
      return finish(response, { ...reply, body: " ".repeat(6_000_000) + reply.body });
    case "wrong-id":
      return finish(response, { ...reply, body: mixedUp() });
    case "unmarked":
      return finish(response, { ...reply, body: unmarked() });
    case "error-500":
    case "unauthorized":
    case "rate-limited":
    case "unavailable":
    case "invalid":
      return finish(response, { status: 500, type: "text/plain", body: "internal error" });
  }
}

/** Sends a reply as it is. */
export function finish(response: ServerResponse, { status, type, body, headers = {} }: Reply): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store", ...headers });
  response.end(body);
}
