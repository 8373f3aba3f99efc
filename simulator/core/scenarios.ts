import type { Rejection } from "./review.ts";

export const actions = ["A1", "A2", "A3", "A4", "A6", "C", "CT", "NA"] as const;
/** X12 306, what a payer does with an item. */
export type Action = (typeof actions)[number];

/** The items' actions in order; the last one is for all further items. */
export type Decision = { readonly actions: readonly Action[]; readonly reason?: string; readonly note?: string };

/** What the simulated payer does with a member's request, and with what follows it. */
export type Scenario = {
  readonly request: RequestScenario;
  /** Why updates are refused; undefined takes them as the request was taken. */
  readonly updates: Rejection | Later | undefined;
  /** Whether a void is done at once, some time later, or refused, at once or some time later. */
  readonly voids: "at once" | "later" | Rejection | Later;
};

/** Taken, and refused some time later. */
type Later = { readonly later: Rejection };

type RequestScenario =
  | { readonly type: "decide"; readonly decision: Decision }
  /** Decided by hand or, with `ends`, decided or rejected by itself some time later on the payer's clock. */
  | { readonly type: "pend"; readonly ends: Decision | Rejection | undefined }
  /** Documents are wanted; an update that brings something new is decided as `ends` says, or pended for good. */
  | { readonly type: "documents"; readonly ends: Decision | undefined }
  /** Two units of each item, two more with each update, until all that was asked is certified. */
  | { readonly type: "stay" }
  /** `times`: so often, and certified after. */
  | { readonly type: "reject"; readonly rejection: Rejection; readonly times: number | undefined };

const certified: Decision = { actions: ["A1"] };
const inPart: Decision = { actions: ["A2"], note: "Simulated partial certification." };
const denied: Decision = { actions: ["A3"], reason: "0V", note: "Simulated denial: the criteria were not met." };
const modified: Decision = { actions: ["A6"], note: "Simulated modification: half of the quantity." };

const decide = (decision: Decision): RequestScenario => ({ type: "decide", decision });
const pend = (ends?: Decision | Rejection): RequestScenario => ({ type: "pend", ends });
const documents = (ends?: Decision): RequestScenario => ({ type: "documents", ends });
const reject = (rejection: Rejection, times?: number): RequestScenario => ({ type: "reject", rejection, times });

const unknownMember: Rejection = { reject: "72", followUp: "C", about: "member" };
const notEligible: Rejection = { reject: "95", followUp: "N", about: "member" };

const requests: readonly { readonly ending: string; readonly does: string; readonly is: RequestScenario }[] = [
  { ending: "DENY", does: "every item not certified (A3), with a reason code and a note", is: decide(denied) },
  { ending: "PART", does: "every item certified in part (A2)", is: decide(inPart) },
  {
    ending: "SPLIT",
    does: "the first item certified (A1), the others not (A3)",
    is: decide({ actions: ["A1", "A3"] }),
  },
  { ending: "MOD", does: "every item modified (A6), half of its quantity authorized", is: decide(modified) },
  { ending: "NA", does: "no certification required (NA)", is: decide({ actions: ["NA"] }) },
  { ending: "CT", does: "contact the payer (CT)", is: decide({ actions: ["CT"] }) },
  { ending: "PEND", does: "pended (A4) until it is decided by hand", is: pend() },
  { ending: "PEND-A1", does: "pended (A4), certified (A1) a minute later", is: pend(certified) },
  { ending: "PEND-A2", does: "pended (A4), certified in part (A2) a minute later", is: pend(inPart) },
  { ending: "PEND-A3", does: "pended (A4), denied (A3) a minute later", is: pend(denied) },
  { ending: "PEND-A6", does: "pended (A4), modified (A6) a minute later", is: pend(modified) },
  { ending: "PEND-AAA-C", does: "pended (A4), rejected (AAA 72, C) a minute later", is: pend(unknownMember) },
  { ending: "PEND-AAA-N", does: "pended (A4), rejected (AAA 95, N) a minute later", is: pend(notEligible) },
  {
    ending: "DOCS",
    does: "pended (A4) and documents wanted; certified (A1) by an update that brings one",
    is: documents(certified),
  },
  { ending: "DOCS-A2", does: "as DOCS, ends certified in part (A2)", is: documents(inPart) },
  { ending: "DOCS-A3", does: "as DOCS, ends denied (A3)", is: documents(denied) },
  { ending: "DOCS-A6", does: "as DOCS, ends modified (A6)", is: documents(modified) },
  { ending: "DOCS-PEND", does: "as DOCS, but then pended until it is decided by hand", is: documents() },
  {
    ending: "STAY",
    does: "modified (A6) to two units of each item, two more with each update; certified (A1) once all are authorized",
    is: { type: "stay" },
  },
  {
    ending: "AAA-C",
    does: "rejected (AAA 72, C): correct and resend",
    is: reject(unknownMember),
  },
  {
    ending: "AAA-N",
    does: "rejected (AAA 95, N): do not resend",
    is: reject(notEligible),
  },
  {
    ending: "AAA-P",
    does: "rejected once (AAA 42, P): resend the original; the second time certified",
    is: reject({ reject: "42", followUp: "P", about: "item" }, 1),
  },
  {
    ending: "AAA-Y",
    does: "rejected for now (AAA 42, Y) and kept: do not resend; it is decided by hand",
    is: reject({ reject: "42", followUp: "Y", about: "item" }),
  },
  {
    ending: "DUP",
    does: "rejected as a duplicate (AAA 91, N)",
    is: reject({ reject: "91", followUp: "N", about: "request" }),
  },
];

const refused: Rejection = { reject: "33", followUp: "N", about: "request" };

const afterwards: readonly {
  readonly ending: string;
  readonly does: string;
  readonly is: Partial<Pick<Scenario, "updates" | "voids">>;
}[] = [
  { ending: "UPD-NO", does: "an update is refused (AAA 33, N) and nothing changes", is: { updates: refused } },
  {
    ending: "UPD-LATER-NO",
    does: "an update is pended (A4) and refused (AAA 33, N) a minute later; the case is as it was before",
    is: { updates: { later: refused } },
  },
  { ending: "VOID-LATER", does: "a void is pended (A4) and done (C) a minute later", is: { voids: "later" } },
  {
    ending: "VOID-LATER-NO",
    does: "a void is pended (A4) and refused (AAA 33, N) a minute later; the case is as it was before",
    is: { voids: { later: refused } },
  },
  { ending: "VOID-NO", does: "a void is refused (AAA 33, N) and nothing changes", is: { voids: refused } },
];

/**
 * What a member id's end chooses, in either case of letters: first what happens
 * to the request, then what happens to updates and voids of it. Those of the
 * second kind may stand behind one of the first and behind each other.
 */
export const scenarios: readonly { readonly ending: string; readonly of: string; readonly does: string }[] = [
  ...requests.map(({ ending, does }) => ({ ending, of: "request", does })),
  ...afterwards.map(({ ending, does }) => ({ ending, of: "afterwards", does })),
];

/** The scenario of a member id. Of two endings that fit, the longer wins; any other id is certified at once, and what follows is taken. */
export function scenarioOf(memberId: string): Scenario {
  const id = memberId.toUpperCase();
  const later = afterwards.find(({ ending }) => id.endsWith(ending));
  if (later) return { ...scenarioOf(id.slice(0, -later.ending.length).replace(/-$/, "")), ...later.is };
  const fits = requests
    .filter(({ ending }) => id.endsWith(ending))
    .toSorted((one, other) => other.ending.length - one.ending.length);
  return { request: fits[0]?.is ?? decide(certified), updates: undefined, voids: "at once" };
}
