/** What the simulated payer does with a first request. Review actions are X12 306, follow-ups X12 889, rejects X12 901. */
export type Scenario =
  | { readonly type: "decide"; readonly action: Action; readonly reason?: string; readonly note?: string }
  | { readonly type: "split" }
  | { readonly type: "pend" }
  | {
      readonly type: "reject";
      readonly reject: string;
      readonly followUp: string;
      readonly path: string;
      readonly times?: number;
    };

export const actions = ["A1", "A2", "A3", "A4", "A6", "C", "CT", "NA"] as const;
export type Action = (typeof actions)[number];

/**
 * Chosen by how the member id ends, whatever comes before; any other ending is
 * approved at once. The page docs/simulator.md says the same in words.
 */
export const scenarios: readonly { readonly ending: string; readonly does: Scenario }[] = [
  {
    ending: "DENY",
    does: { type: "decide", action: "A3", reason: "0V", note: "Simulated denial: the criteria were not met." },
  },
  { ending: "PEND", does: { type: "pend" } },
  { ending: "PART", does: { type: "decide", action: "A2", note: "Simulated partial certification." } },
  { ending: "SPLIT", does: { type: "split" } },
  { ending: "MOD", does: { type: "decide", action: "A6", note: "Simulated modification: half of the quantity." } },
  { ending: "NA", does: { type: "decide", action: "NA" } },
  { ending: "CT", does: { type: "decide", action: "CT" } },
  {
    ending: "AAA-C",
    does: { type: "reject", reject: "72", followUp: "C", path: "Bundle.entry[3].Coverage.subscriberId" },
  },
  {
    ending: "AAA-N",
    does: { type: "reject", reject: "95", followUp: "N", path: "Bundle.entry[3].Coverage.subscriberId" },
  },
  {
    ending: "AAA-P",
    does: { type: "reject", reject: "42", followUp: "P", path: "Bundle.entry[0].Claim.item[0]", times: 1 },
  },
  { ending: "AAA-Y", does: { type: "reject", reject: "42", followUp: "Y", path: "Bundle.entry[0].Claim.item[0]" } },
];

/** The scenario of a member id; the longest ending that fits wins. */
export function scenarioOf(memberId: string): Scenario {
  const id = memberId.toUpperCase();
  const fits = scenarios
    .filter(({ ending }) => id.endsWith(ending))
    .toSorted((one, other) => other.ending.length - one.ending.length);
  return fits[0]?.does ?? { type: "decide", action: "A1" };
}
