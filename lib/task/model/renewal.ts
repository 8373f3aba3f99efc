import type { Environment } from "./environment.ts";
import type { ServiceReview } from "./service-review.ts";
import type { Outcome } from "./task.ts";

/** X12 1322 (UM02): the certification types that go on from an earlier authorization, an extension and a renewal. */
const continuingTypes: readonly (string | undefined)[] = ["4", "R"];

/** The request whose authorization another one renews or extends, and the payer's number of that authorization. */
export type EarlierAuthorization = {
  readonly taskId: string;
  readonly authorizationNumber?: string | undefined;
  /** Where it was decided: what a test payer decided authorizes nothing live. */
  readonly environment: Environment | undefined;
};

/** Whether a request renews or extends an authorization: it is one of its own, and never a change of the earlier one. */
export function isRenewal({ certificationTypeCode }: ServiceReview): boolean {
  return continuingTypes.includes(certificationTypeCode);
}

/** Whether the payer authorized something, so that it can be renewed or extended. */
export function isAuthorization(outcome: Outcome): boolean {
  return outcome === "approved" || outcome === "modified" || outcome === "partially-approved";
}

/**
 * The request as it is submitted there: with the number of the earlier authorization, where it is one of that environment
 * and the agent gives none itself.
 */
export function withEarlierNumber(
  review: ServiceReview,
  earlier: EarlierAuthorization | undefined,
  environment: Environment,
): ServiceReview {
  const number = earlier?.environment === environment ? earlier.authorizationNumber : undefined;
  if (number === undefined || review.authorizationNumber !== undefined) return review;
  return { ...review, authorizationNumber: number };
}
