import { z } from "zod";
import { connectorNames, originOf, type ConnectorName, type RouteSettings } from "#lib/payer/model/destination";
import { isRequirable } from "#lib/task/model/required-fields";
import { idText } from "#lib/task/model/service-review";
import { connectors } from "#lib/payer/connectors";
import type { RouteInForce } from "#lib/practice/store/admin-routes";
import { environmentWord, lineOfBusinessWord, nameText } from "#lib/access/validate";
import { urlProblem } from "./route-url.ts";

// Safe because `connectors` has exactly these keys, by type.

const routeFields = z.object({
  payerId: idText,
  payerName: nameText.optional(),
  connector: z.enum(connectorNames, `must be one of ${connectorNames.join(", ")}`),
  url: z.string().trim().max(2_000, "must be at most 2000 characters").optional(),
  environment: environmentWord.optional(),
  credential: z
    .string()
    .max(8_000, "must be at most 8000 characters")
    .regex(/^[\x21-\x7e]+$/, "must be one word of printable characters, for it is sent in a header")
    .optional(),
  settings: z.record(idText, z.string().max(2_000, "must be at most 2000 characters")).default({}),
  lineOfBusiness: lineOfBusinessWord.optional(),
  requiredFields: z
    .array(z.string().refine(isRequirable, "must be fields a route may require"))
    .max(50, "must be at most 50 fields")
    .transform((list) => [...new Set(list)].toSorted())
    .default([]),
  keepCredential: z.boolean().default(false),
});

/** Which payer, and how it is reached: where a payer connection begins. */
export const payerInput = routeFields.pick({
  payerId: true,
  payerName: true,
  connector: true,
  environment: true,
  lineOfBusiness: true,
});

/** The input of a payer connection. */
export const routeInput = routeFields.superRefine(({ connector, url, settings }, issues) => {
  const problem = url === undefined ? missingUrl[connector] : urlProblem(url);
  if (problem !== undefined) issues.addIssue({ code: "custom", path: ["url"], message: problem });
  for (const each of connectors[connector].checkSettings(settings))
    issues.addIssue({ code: "custom", path: ["settings", each.name], message: each.problem });
});

const missingUrl = {
  manual: undefined,
  "pas-fhir": "must be the payer's FHIR base address, such as https://payer.example/fhir",
  "service-review": "must be the clearinghouse's base address, such as https://clearinghouse.example",
} as const satisfies Record<ConnectorName, string | undefined>;

export type RouteInput = z.output<typeof routeInput>;

/**
 * Why the stored credential cannot be kept. An administrator of payer connections must not be able to redirect a
 * credential to another server, nor have one sent that signs.
 */
export function keptCredentialProblem(
  before: Pick<RouteInForce, "connector" | "url" | "settings" | "hasCredential"> | undefined,
  next: RouteInput,
): string | undefined {
  if (!before?.hasCredential || next.credential !== undefined || !keepsCredential(next)) return undefined;
  const same =
    before.connector === next.connector &&
    originOf(before.url) === originOf(next.url) &&
    originOf(before.settings["tokenUrl"]) === originOf(next.settings["tokenUrl"]) &&
    useIn(before.settings) === useIn(next.settings);
  return same ? undefined : "must be given again, for the one that is kept goes to no other connector, address or use";
}

/** How a credential is used: a key that signs must not become a secret that is sent. */
function useIn(settings: RouteSettings): string {
  return `${settings["auth"] ?? "bearer"} ${settings["clientCertificate"] === undefined ? "alone" : "with a certificate"}`;
}

/** Whether to keep the stored credential; manual submission uses none. */
export function keepsCredential({ keepCredential, connector }: RouteInput): boolean {
  return keepCredential && connector !== "manual";
}
