import type { Call } from "#lib/payer/connector";
import { createPayer } from "#simulator/core/payer";
import { submit } from "#simulator/pas/operations";

export type Json = Record<string, unknown>;

/** The simulated payer's whole reply to a built request, for a test to spoil. */
export function aReplyTo(call: Call | undefined): Json {
  const value: unknown = JSON.parse(Buffer.from(call?.body ?? []).toString("utf8"));
  const { status, body } = submit(createPayer(), { value, sha256: "0".repeat(64), version: "2.2.1" });
  if (status !== 200) throw new Error(`the simulator refuses the request: ${JSON.stringify(body)}`);
  return structuredClone(body) as Json;
}

/** The ClaimResponse of a reply, to be changed in place. */
export function responseIn(reply: Json): Json {
  const [first] = reply["entry"] as { resource: Json }[];
  if (!first) throw new Error("a reply has a ClaimResponse");
  return first.resource;
}
