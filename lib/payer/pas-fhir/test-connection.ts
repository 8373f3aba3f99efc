import { z } from "zod";
import type { Destination } from "#lib/payer/model/destination";
import type { Transport } from "#lib/payer/connector";
import { exchange } from "#lib/platform/outbound/exchange";
import { smartToken } from "#lib/payer/smart";
import { jsonOf, type FetchedToken } from "#lib/payer/tokens";
import { testAddress, runTestSteps } from "#lib/payer/connection-test";
import { readSettings } from "./settings.ts";

const statement = z.object({
  resourceType: z.literal("CapabilityStatement"),
  fhirVersion: z.string().max(20),
  rest: z
    .array(
      z.object({
        resource: z
          .array(z.object({ type: z.string(), operation: z.array(z.object({ name: z.string() })).optional() }))
          .optional(),
      }),
    )
    .optional(),
});

/** Fetches a token as a submission would, where the route has them, and reads what the server says it can (FHIR `metadata`). */
export function testConnection(to: Destination, transport: Transport) {
  const { signal, credential } = transport;
  const base = (to.url ?? "").replace(/\/+$/, "");
  const { auth, tokenUrl, clientId, keyId, scope } = readSettings(to);
  let bearer = credential;
  const token = async () => {
    if (auth === "bearer")
      return { ok: true, says: credential === undefined ? "The route has no credential." : "A fixed bearer is sent." };
    if (credential === undefined || clientId === undefined)
      return { ok: false, says: "The route has no private key or client id to ask for a token with." };
    const fetched: FetchedToken = await smartToken({ base, tokenUrl, clientId, keyId, scope, credential }).fetch(
      signal,
    );
    if (!fetched.ok) return { ok: false, says: fetched.reason };
    bearer = fetched.value;
    return { ok: true, says: "The payer gave a token." };
  };
  return runTestSteps([
    testAddress(base, signal),
    { name: "token", run: token },
    { name: "answer", run: () => capability(base, { credential: bearer, signal }) },
  ]);
}

async function capability(base: string, going: Pick<Transport, "credential" | "signal">) {
  const contentType = "application/fhir+json";
  const reply = await exchange({ method: "GET", url: `${base}/metadata`, contentType, body: new Uint8Array() }, going);
  if (reply.kind !== "reply") return { ok: false, says: reply.reason };
  const read = statement.safeParse(jsonOf(reply.bytes));
  if (reply.status !== 200 || !read.success)
    return { ok: false, says: `It gave no CapabilityStatement (HTTP ${reply.status}).` };
  const { fhirVersion, rest = [] } = read.data;
  if (!fhirVersion.startsWith("4.0")) return { ok: false, says: "It speaks another FHIR than R4." };
  const operations = rest.flatMap(({ resource = [] }) =>
    resource.flatMap(({ type, operation = [] }) => (type === "Claim" ? operation.map(({ name }) => name) : [])),
  );
  const says = operations.includes("submit")
    ? "It speaks FHIR R4 and takes Claim/$submit."
    : "It speaks FHIR R4; its CapabilityStatement does not name Claim/$submit.";
  return { ok: true, says };
}
