import type { CheckFinding, Rule } from "./check.ts";

const once = (holds: boolean): readonly CheckFinding[] => (holds ? [{}] : []);

/** Whether what is released could leave at all, and the way it was shown. */
export const routeRules: readonly Rule[] = [
  { type: "practice-suspended", ofVoids: true, find: ({ practiceActive }) => once(!practiceActive) },
  { type: "no-route", ofVoids: true, find: ({ route }) => once(!route.reachable) },
  { type: "route-changed", ofVoids: true, find: ({ route }) => once(route.changed) },
  { type: "payer-not-configured", find: ({ route }) => once(!route.configured) },
];
