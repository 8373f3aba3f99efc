import type { ServiceReview } from "./service-review.ts";
import type { Outcome } from "./task.ts";

/** X12 1322 (UM02): the certification types that go on from an earlier authorization, an extension and a renewal. */
const continuingTypes: readonly (string | undefined)[] = ["4", "R"];

/** The request whose authorization another one renews or extends, and the payer's number of that authorization. */
export type EarlierAuthorization = {
  readonly taskId: string;
  readonly authorizationNumber?: string | undefined;
};

/** Whether a request renews or extends an authorization: it is one of its own, and never a change of the earlier one. */
export function isRenewal({ certificationTypeCode }: ServiceReview): boolean {
  return continuingTypes.includes(certificationTypeCode);
}

/** Whether the payer authorized something, so that it can be renewed or extended. */
export function isAuthorization(outcome: Outcome): boolean {
  return outcome === "approved" || outcome === "modified" || outcome === "partially-approved";
}

/** The request as it is submitted: with the number of the earlier authorization, where the agent gives none itself. */
export function withEarlierNumber(review: ServiceReview, earlier: EarlierAuthorization | undefined): ServiceReview {
  const number = earlier?.authorizationNumber;
  if (number === undefined || review.authorizationNumber !== undefined) return review;
  return { ...review, authorizationNumber: number };
}
