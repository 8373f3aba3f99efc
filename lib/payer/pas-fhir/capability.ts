import { z } from "zod";
import { exchange, type Exchange } from "#lib/platform/outbound/exchange";
import { jsonOf } from "#lib/payer/tokens";
import { payerReasons } from "#lib/messages/reasons/payer";
import { pasTopic } from "./vocabulary.ts";

const topicExtension =
  "http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition/capabilitystatement-subscriptiontopic-canonical";

const named = z.object({ name: z.string(), definition: z.string().optional() });
const coded = z.object({ code: z.string() });
const extension = z.object({ url: z.string(), valueCanonical: z.string().optional() });

const statement = z.object({
  resourceType: z.literal("CapabilityStatement"),
  fhirVersion: z.string().max(20),
  rest: z
    .array(
      z.object({
        resource: z
          .array(
            z.object({
              type: z.string(),
              operation: z.array(named).optional(),
              interaction: z.array(coded).optional(),
              extension: z.array(extension).optional(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
});

export type Capability = z.infer<typeof statement>;

type CapabilityResult =
  | { readonly ok: true; readonly capability: Capability }
  | { readonly ok: false; readonly says: string };

/** What a payer says it can (FHIR `metadata`). */
export async function readCapability(base: string, going: Parameters<typeof exchange>[1]): Promise<CapabilityResult> {
  const contentType = "application/fhir+json";
  const reply = await exchange({ method: "GET", url: `${base}/metadata`, contentType, body: new Uint8Array() }, going);
  return capabilityIn(reply);
}

/** The CapabilityStatement in a reply to a read of `metadata`. */
export function capabilityIn(reply: Exchange): CapabilityResult {
  if (reply.kind !== "reply") return { ok: false, says: reply.reason };
  const read = statement.safeParse(jsonOf(reply.bytes));
  if (reply.status !== 200 || !read.success)
    return { ok: false, says: payerReasons.noCapabilityStatement(reply.status) };
  return { ok: true, capability: read.data };
}

/**
 * Whether `Claim/$submit` is listed: under its name, with or without the $, or by its definition, which is how the guide's own
 * CapabilityStatement has it ("PAS Claim Request").
 */
export function takesSubmit({ rest = [] }: Capability): boolean {
  const operations = rest
    .flatMap(({ resource = [] }) => resource)
    .flatMap(({ type, operation = [] }) => (type === "Claim" ? operation : []));
  return operations.some(
    ({ name, definition = "" }) => /^\$?submit$/.test(name) || /\/Claim-submit(?:\||$)/.test(definition),
  );
}

/**
 * Whether a Subscription can be created. Where the payer says to which topics (R4 backport), the topic of PAS must be
 * among them.
 */
export function offersNotifications({ rest = [] }: Capability): boolean {
  return rest
    .flatMap(({ resource = [] }) => resource)
    .filter(
      ({ type, interaction = [] }) => type === "Subscription" && interaction.some(({ code }) => code === "create"),
    )
    .some(({ extension: list = [] }) => {
      const topics = list.filter(({ url }) => url === topicExtension);
      return topics.length === 0 || topics.some(({ valueCanonical }) => valueCanonical?.split("|")[0] === pasTopic);
    });
}
