import type { ConnectorName } from "#lib/payer/model/destination";
import type { Support } from "#lib/payer/model/support";
import type { RouteRule } from "./route-rule.ts";

/** A payer in a practice's directory. */
export type ListedPayer = {
  /** As requests name it. */
  readonly payerId: string;
  readonly name: string;
  /** Other names and ids it goes by. A request that uses one is refused or warned, with the id it should use. */
  readonly aliases: readonly string[];
  /** How it is reached, where that is known; a new payer connection begins with it. */
  readonly connector?: ConnectorName | undefined;
  /** What it takes over its connection, as far as the connector has it. */
  readonly supports: readonly Support[];
  /** JSON pointers of what it requires beyond what its connection requires. */
  readonly requiredFields: readonly string[];
  /** Which requests go over another payer connection than its own; the first that fits decides. */
  readonly rules: readonly RouteRule[];
};

/** What becomes of a request to a payer that the practice's directory does not list and that has no connection. */
export const unlistedPolicies = ["refuse", "manual"] as const;
export type UnlistedPolicy = (typeof unlistedPolicies)[number];

/** How a practice knows a payer. */
export type PayerStanding =
  /** Its directory lists it. */
  | "listed"
  /** It has a payer connection, and the directory does not list it. */
  | "connected"
  /** Neither, and the directory lists others. */
  | "unlisted"
  /** There is no directory, and there are connections to others. */
  | "unconnected"
  /** The practice knows no payer at all. */
  | "none-known";

/** Whether requests to this payer are refused. */
export function isClosed(standing: PayerStanding, policy: UnlistedPolicy): boolean {
  return standing === "unlisted" && policy === "refuse";
}

/** Whether the practice knows others and not this one, so that the payer may be misspelled. */
export function isUnknown(standing: PayerStanding): boolean {
  return standing === "unlisted" || standing === "unconnected";
}
