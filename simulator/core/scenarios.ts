import type { Rejection, WantedDocument } from "./review.ts";

export const actions = ["A1", "A2", "A3", "A4", "A6", "C", "CT", "NA"] as const;
/** X12 306, what a payer does with an item. */
export type Action = (typeof actions)[number];

/** The items' actions in order; the last one is for all further items. */
export type Decision = { readonly actions: readonly Action[]; readonly reason?: string; readonly note?: string };

/** What the simulated payer does with a member's request, and with what follows it. */
export type Scenario = {
  readonly request:
    | { readonly type: "decide"; readonly decision: Decision }
    /** Without `then` it is decided by hand; with it, by itself some time later on the payer's clock. */
    | { readonly type: "pend"; readonly then?: Decision; readonly wants?: readonly WantedDocument[] }
    /** `times`: so often, and certified after. */
    | { readonly type: "reject"; readonly rejection: Rejection; readonly times?: number };
  /** Refuses updates; without it they are taken as the request was. */
  readonly refusesUpdate?: Rejection;
  /** `later`: pended, and done some time later. Without it a void is done at once. */
  readonly void?: "later" | Rejection;
};

const denial: Decision = {
  actions: ["A3"],
  reason: "0V",
  note: "Simulated denial: the criteria were not met.",
};
const decides = (decision: Decision): Scenario => ({ request: { type: "decide", decision } });
const rejects = (rejection: Rejection, times?: number): Scenario => ({
  request: { type: "reject", rejection, ...(times === undefined ? {} : { times }) },
});

/**
 * Chosen by how the member id ends, whatever comes before; any other ending is
 * approved at once. The page docs/simulator.md says the same.
 */
export const scenarios: readonly { readonly ending: string; readonly does: string; readonly is: Scenario }[] = [
  { ending: "DENY", does: "every item not certified (A3), with a reason code and a note", is: decides(denial) },
  {
    ending: "PEND",
    does: "pended (A4); decide it with `/control/decide`, read it with `$inquire`",
    is: { request: { type: "pend" } },
  },
  {
    ending: "PART",
    does: "every item certified in part (A2)",
    is: decides({ actions: ["A2"], note: "Simulated partial certification." }),
  },
  {
    ending: "SPLIT",
    does: "the first item certified (A1), the others not (A3)",
    is: decides({ actions: ["A1", "A3"] }),
  },
  {
    ending: "MOD",
    does: "every item modified (A6), half of its quantity authorized in an `addItem`",
    is: decides({ actions: ["A6"], note: "Simulated modification: half of the quantity." }),
  },
  { ending: "NA", does: "no certification required", is: decides({ actions: ["NA"] }) },
  { ending: "CT", does: "contact the payer", is: decides({ actions: ["CT"] }) },
  {
    ending: "AAA-C",
    does: "rejected (AAA 72), correct and resend",
    is: rejects({ reject: "72", followUp: "C", about: "member" }),
  },
  {
    ending: "AAA-N",
    does: "rejected (AAA 95), do not resend",
    is: rejects({ reject: "95", followUp: "N", about: "member" }),
  },
  {
    ending: "AAA-P",
    does: "rejected once (AAA 42), resend the original; the second time certified",
    is: rejects({ reject: "42", followUp: "P", about: "item" }, 1),
  },
  {
    ending: "AAA-Y",
    does: "rejected for now (AAA 42) and kept: do not resend; decide it with `/control/decide`",
    is: rejects({ reject: "42", followUp: "Y", about: "item" }),
  },
];

/** The scenario of a member id; the longest ending that fits wins. */
export function scenarioOf(memberId: string): Scenario {
  const id = memberId.toUpperCase();
  const fits = scenarios
    .filter(({ ending }) => id.endsWith(ending))
    .toSorted((one, other) => other.ending.length - one.ending.length);
  return fits[0]?.is ?? decides({ actions: ["A1"] });
}
