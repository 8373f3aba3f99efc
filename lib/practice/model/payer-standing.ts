import type { UnlistedPolicy } from "./listed-payer.ts";

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
