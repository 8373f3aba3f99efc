import type { ConnectorName } from "#lib/payer/model/destination";
import type { Support } from "#lib/payer/model/support";
import { knownText } from "#lib/messages/known-text";
import { connectorText } from "#lib/messages/connector-text";
import type { UnlistedPolicy } from "#lib/practice/model/listed-payer";
import { rangeText, type RouteRule } from "#lib/practice/model/route-rule";

const supported = {
  updates: "Updates",
  files: "Files",
  voids: "Voids",
  subscriptions: "Notifications",
} as const satisfies Readonly<Record<Support, string>>;

/** What a payer may take over its connection. */
export function supportText(support: string): string {
  return knownText(supported, support) ?? support;
}

const unlisted = {
  refuse: "Refused: the agent gets payers with similar IDs",
  manual: "Accepted for manual submission: agent and reviewer are warned",
} as const satisfies Readonly<Record<UnlistedPolicy, string>>;

/** What becomes of a request to a payer that is not listed. */
export function unlistedText(policy: string): string {
  return knownText(unlisted, policy) ?? policy;
}

/** Every choice of it, for a field. */
export const unlistedOptions = Object.entries(unlisted).map(([value, text]) => ({ value, text }));

/** How a payer of the directory is reached: by its connection, or by what the directory says of it. */
export function connectionText(connected: ConnectorName | undefined, listed: ConnectorName | undefined): string {
  if (connected !== undefined) return connectorText(connected);
  if (listed === undefined || listed === "manual") return connectorText("manual");
  return `${connectorText(listed)}, not connected yet`;
}

/** Who reviews what for a payer, in the order of its rules. */
export function reviewersText(rules: readonly RouteRule[], nameOf: ReadonlyMap<string, string>): string {
  return rules.map(({ name, connection }) => `${name}: ${nameOf.get(connection) ?? connection}`).join("; ");
}

/** What a rule asks for, in words. */
export function conditionsText({ serviceTypes, codes, linesOfBusiness }: RouteRule): string {
  const conditions = [
    ...(serviceTypes.length > 0 ? [`service type ${listed(serviceTypes)}`] : []),
    ...(codes.length > 0 ? [`every procedure within ${listed(codes.map(rangeText))}`] : []),
    ...(linesOfBusiness.length > 0 ? [`line of business ${listed(linesOfBusiness)}`] : []),
  ];
  return conditions.length > 0 ? conditions.join("; ") : "every request";
}

const listed = (items: readonly string[]) => new Intl.ListFormat("en", { type: "disjunction" }).format(items);

const done = {
  payer: "Saved. New requests follow it.",
  removed: "Removed from the directory. Its payer connection stays.",
  rules: "Saved. Requests awaiting release that now go elsewhere were prepared again.",
  unlisted: "Saved. New requests follow it.",
} as const;

/** An act on the directory, as the address of its page names it once it is done. */
export type PayerDone = keyof typeof done;

export const payerDoneText = (act: unknown): string | undefined => knownText(done, act);
