import { z } from "zod";
import { connectorNames, originOf, type ConnectorName, type RouteSettings } from "#lib/payer/model/destination";
import { isRequirable } from "#lib/task/model/required-fields";
import { idText } from "#lib/task/model/service-review";
import { connectors } from "#lib/payer/connectors";
import type { RouteInForce } from "#lib/practice/store/admin-routes";
import { environmentWord, lineOfBusinessWord, nameText } from "#lib/access/validate";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import { urlProblem } from "./route-url.ts";

// Safe because `connectors` has exactly these keys, by type.

const routeFields = z.object({
  payerId: idText,
  payerName: nameText.optional(),
  connector: z.enum(connectorNames, problems.oneOf(connectorNames)),
  url: z.string().trim().max(2_000, problems.charactersMax(2_000)).optional(),
  environment: environmentWord.optional(),
  credential: z
    .string()
    .max(8_000, problems.charactersMax(8_000))
    .regex(/^[\x21-\x7e]+$/, practiceProblems.headerWord)
    .optional(),
  settings: z.record(idText, z.string().max(2_000, problems.charactersMax(2_000))).default({}),
  lineOfBusiness: lineOfBusinessWord.optional(),
  requiredFields: z
    .array(z.string().refine(isRequirable, practiceProblems.routeFields))
    .max(50, problems.atMostOf(50, "fields"))
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
  "pas-fhir": practiceProblems.fhirBase,
  "service-review": practiceProblems.clearinghouseBase,
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
  return same ? undefined : practiceProblems.credentialAgain;
}

/** How a credential is used: a key that signs must not become a secret that is sent. */
function useIn(settings: RouteSettings): string {
  return `${settings["auth"] ?? "bearer"} ${settings["clientCertificate"] === undefined ? "alone" : "with a certificate"}`;
}

/** Whether to keep the stored credential; manual submission uses none. */
export function keepsCredential({ keepCredential, connector }: RouteInput): boolean {
  return keepCredential && connector !== "manual";
}
