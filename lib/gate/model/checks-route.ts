import type { ServiceReview } from "#lib/task/model/service-review";
import type { CaseFacts, CheckFinding, Rule } from "./check.ts";

const once = (holds: boolean): readonly CheckFinding[] => (holds ? [{}] : []);

function delegated(part: CaseFacts["delegatedInPart"], { procedures }: ServiceReview): readonly CheckFinding[] {
  if (!part) return [];
  const codes = part.procedures.flatMap((index) => procedures[index]?.code ?? []);
  return [{ paths: part.procedures.map((index) => `/procedures/${index}`), values: [part.name, codes.join(", ")] }];
}

/** Rules about whether a release could be submitted at all, and over the connection that the page showed. */
export const routeRules: readonly Rule[] = [
  { type: "practice-suspended", ofVoids: true, find: ({ practiceActive }) => once(!practiceActive) },
  { type: "no-route", ofVoids: true, find: ({ route }) => once(!route.reachable) },
  { type: "route-changed", ofVoids: true, find: ({ route }) => once(route.changed) },
  { type: "payer-not-configured", find: ({ route }) => once(!route.configured) },
  { type: "delegated-in-part", find: ({ delegatedInPart, review }) => delegated(delegatedInPart, review) },
];
