import type { RequestListener } from "node:http";
import { agentCard } from "#lib/a2a/card/agent-card";
import { answer, createFront } from "#lib/platform/http/front";
import { a2aListener } from "#lib/a2a/listener";
import { openStore } from "#lib/db/db";
import { edgeDeps } from "./edge.ts";
import { listening } from "../servers/served.ts";

/** The endpoint alone as a process of its own, over the database its parent names. */
const { EDGE_STORE: given = "{}" } = process.env;
// Safe because the test that starts it writes it, from this type.
const { url, sealingKey, receiptKey, keyPepper } = JSON.parse(given) as Record<string, string>;
const bytes = (text = "") => Buffer.from(text, "base64");
const store = openStore({
  url: url ?? "",
  sealingKey: bytes(sealingKey),
  receiptKey: bytes(receiptKey),
  keyPepper: bytes(keyPepper),
  connectionsMax: 20,
});
const card: RequestListener = (_, outgoing) =>
  answer(outgoing, {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(agentCard(base)),
  });
const front = createFront({
  byPath: {
    "/api/a2a": a2aListener(edgeDeps(store)),
    // At the address of A2A 0.3 and at that of 0.2.
    "/.well-known/agent-card.json": card,
    "/.well-known/agent.json": card,
  },
  rest: (_, outgoing) => void outgoing.writeHead(404).end(),
  upgrades: () => false,
  onError: () => undefined,
});
const base = await listening(front);
process.send?.(base);
// Nobody waits for an endpoint whose test has gone.
process.once("disconnect", () => process.exit());
