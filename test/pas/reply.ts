import type { Call } from "#lib/payer/connector";
import { checkSubmission } from "#simulator/rules";
import { createPayer } from "#simulator/payer";

export type Json = Record<string, unknown>;

/** The simulated payer's whole reply to a built request, for a test to spoil. */
export function aReplyTo(call: Call | undefined): Json {
  const { status, body } = createPayer().submit(
    JSON.parse(Buffer.from(call?.body ?? []).toString("utf8")),
    call?.body ?? new Uint8Array(),
  );
  if (status !== 200) throw new Error(`the simulator refuses the request: ${JSON.stringify(checkSubmission(body))}`);
  return structuredClone(body) as Json;
}

/** The ClaimResponse of a reply, to be changed in place. */
export function responseIn(reply: Json): Json {
  const [first] = reply["entry"] as { resource: Json }[];
  if (!first) throw new Error("a reply has a ClaimResponse");
  return first.resource;
}
