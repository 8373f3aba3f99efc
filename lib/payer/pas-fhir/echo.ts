import { isHeaderOnly } from "./lines.ts";
import { relative } from "./providers.ts";
import type { ResponseBundle } from "./reply.ts";
import { bundleIdSystem, type Sent } from "./sent.ts";

/**
 * Whether an answer names the request by our trace number, our bundle or our
 * Claim's address, and contradicts none of them (PAS "Prior Authorization
 * Response": identifiers and fullUrls are echoed). An inquiry's bundle has an
 * identity of its own, so there the bundle proves nothing.
 */
export function namesRequest({ sent, others, bundle, asked }: Naming): boolean {
  const { identifier, response } = bundle;
  const known = [sent, ...others];
  const traces = [
    ...(response.identifier ?? []),
    ...(response.request?.identifier ? [response.request.identifier] : []),
  ];
  const own = traces.filter(({ system }) => system === sent.trace.system);
  const request = response.request?.reference;
  const bundleId = asked === "submit" && identifier?.system === bundleIdSystem ? identifier.value : undefined;
  const contradicted =
    own.some(({ value }) => !known.some(({ trace }) => trace.value === value)) ||
    (request?.startsWith("urn:uuid:") === true && !known.some(({ claimUrl }) => claimUrl === request)) ||
    (bundleId !== undefined && bundleId !== sent.bundleId);
  // Our trace numbers are unique by themselves; the official answers repeat them under a system of the payer's own.
  const named = traces.some(({ value }) => value === sent.trace.value) || request === sent.claimUrl;
  return !contradicted && (named || bundleId === sent.bundleId);
}

/** `others` are what else left for the same case: an answer may name those as well. */
export type Naming = {
  readonly sent: Sent;
  readonly others: readonly Sent[];
  readonly bundle: ResponseBundle;
  readonly asked: "submit" | "inquire";
};

/** Whether an answer speaks of our member: by the address we gave, by a logical reference, or by the patient it brings. */
export function namesPatient(sent: Sent, { response, patients }: ResponseBundle): boolean {
  const { reference, identifier } = response.patient;
  const brought = reference === undefined ? undefined : (patients.get(reference) ?? relative(patients, reference));
  if (brought !== undefined && brought.length > 0) return brought.some(({ value }) => value === sent.memberId);
  if (identifier?.value !== undefined) return identifier.value === sent.memberId;
  return reference === sent.patientUrl;
}

/** Whether an answer speaks of exactly the items that were asked, each once, or of all of them at once. */
export function namesItems(sent: Sent, { response }: ResponseBundle): boolean {
  if (isHeaderOnly(response)) return true;
  const sequences = (response.item ?? []).map(({ itemSequence }) => itemSequence);
  return (
    sequences.length === sent.items.size &&
    new Set(sequences).size === sequences.length &&
    sequences.every((each) => sent.items.has(each))
  );
}
