import type { ServiceReview } from "#lib/task/model/service-review";
import type { State } from "#lib/task/model/task";
import { asks, type Ask, type AskKey } from "./asks.ts";
import { facilities, payers, providers, type PayerKey, type PracticeKey, type ProviderKey } from "./places.ts";

/** The kinds of document that demo agents attach, each written from its case. */
export type DocumentKind = "visit" | "imaging" | "therapy" | "order" | "medications";

/** What happens to a case after its intake; `paths.ts` has the steps. */
export type PathName =
  | "is undecided"
  | "is released"
  | "is being submitted manually"
  | "is with the payer"
  | "waits at the payer"
  | "loses its answer"
  | "loses its channel"
  | "is sent back"
  | "is sent back and amended"
  | "is declined"
  | "is withdrawn"
  | "wants more"
  | "wants more and is updated"
  | "is approved by letter"
  | "is to be voided"
  | "is to be voided and released"
  | "is being voided"
  | "is voided in doubt"
  | "is voided"
  | "is voided by the payer";

/** The demo agent that sends the case. */
export type AgentKey = "desk" | "overnight" | "fax";

/** The case of one invented patient: who, what, why, and its final state. */
export type DemoCase = {
  readonly practice: PracticeKey;
  readonly payer: PayerKey;
  readonly agent?: AgentKey | undefined;
  readonly path: PathName;
  readonly ends: State;
  /** How many hours ago it was sent. */
  readonly hoursAgo: number;
  readonly patient: readonly [lastName: string, firstName: string, birthDate: string, gender: "F" | "M"];
  /** Its end chooses what the payer simulator does (docs/simulator.md). */
  readonly memberId: string;
  readonly ask: AskKey;
  readonly by: ProviderKey;
  /** The reason, for the payer. */
  readonly reason: string;
  /** The agent's note to the reviewer. */
  readonly note?: string | undefined;
  /** The documents that came with it. */
  readonly documents?: readonly DocumentKind[] | undefined;
  /** First day of service, in days from now. */
  readonly inDays?: number | undefined;
  readonly urgent?: string | undefined;
  /** The subscriber, if the patient is their child. */
  readonly parent?: readonly [lastName: string, firstName: string] | undefined;
  /** Set if the reviewer is assigned, with their own note if any. */
  readonly assigned?: { readonly note?: string | undefined } | undefined;
  /** Whether the reviewer has snoozed it until tomorrow. */
  readonly snoozed?: boolean | undefined;
  /** What the agent left out or added, and how it amended the case afterwards. */
  readonly changed?: ((review: ServiceReview) => object) | undefined;
  readonly amended?: ((review: ServiceReview) => object) | undefined;
  /** What the reviewer asked, answered or recorded. */
  readonly statement?: string | undefined;
};

const dayMs = 24 * 60 * 60 * 1000;

/** The case's service review as its agent sends it. */
export function reviewOf(from: DemoCase, now: Date): ServiceReview {
  const ask: Ask = asks[from.ask];
  const { procedures, diagnoses, at, days, ...request } = ask;
  const first = from.inDays ?? 10;
  const review: ServiceReview = {
    payer: payers[from.payer],
    ...request,
    certificationTypeCode: "I",
    fromDate: day(now, first),
    toDate: day(now, first + days),
    ...(from.urgent === undefined ? {} : { serviceLevelCode: "U", urgentAttestation: from.urgent }),
    ...membersOf(from),
    requestingProvider: providers[from.by],
    renderingProviders: [at === undefined ? providers[from.by] : facilities[at]],
    diagnoses: [...diagnoses],
    procedures: [...procedures],
    providerNotes: [{ message: from.reason }],
  };
  // Safe because the changed review is checked when it is sent, like that of any agent.
  return (from.changed?.(review) ?? review) as ServiceReview;
}

function membersOf({ patient, memberId, parent }: DemoCase) {
  const [lastName, firstName, birthDate, genderCode] = patient;
  const [subscriberLast, subscriberFirst] = parent ?? [lastName, firstName];
  return {
    subscriber: { memberId, lastName: subscriberLast, firstName: subscriberFirst },
    patient: { lastName, firstName, birthDate, genderCode, subscriberRelationshipCode: parent ? "19" : "18" },
  };
}

function day(now: Date, ahead: number): string {
  return new Date(now.getTime() + ahead * dayMs).toISOString().slice(0, 10);
}
