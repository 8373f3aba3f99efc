import type { CheckFinding, Rule } from "./check.ts";

const once = (holds: boolean): readonly CheckFinding[] => (holds ? [{}] : []);

/** Rules about whether a release could be submitted at all, and over the connection that the page showed. */
export const routeRules: readonly Rule[] = [
  { type: "practice-suspended", ofVoids: true, find: ({ practiceActive }) => once(!practiceActive) },
  { type: "no-route", ofVoids: true, find: ({ route }) => once(!route.reachable) },
  { type: "route-changed", ofVoids: true, find: ({ route }) => once(route.changed) },
  { type: "payer-not-configured", find: ({ route }) => once(!route.configured) },
];
