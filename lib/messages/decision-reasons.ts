/**
 * Why a payer decided as it did (X12 list 886, HCR03), in our own words. A code that is not here is shown as it came,
 * never guessed.
 */
const labels: Readonly<Record<string, string>> = {
  "4": "more units than the payer allows",
  "7": "canceled for administrative reasons",
  "9": "provider is outside the plan's network",
  "0A": "testing isn't included",
  "0B": "referred to an outside reviewer, whose decision follows",
  "0C": "this service has access restrictions",
  "0D": "primary care provider must authorize it first",
  "0E": "provider is not the patient's primary care provider",
  "0F": "medical need not shown, according to the payer",
  "0G": "a different level of care is appropriate",
  "0H": "this service needs no authorization",
  "0J": "an outside reviewer decides this",
  "0K": "must be provided by primary care",
  "0L": "exceeds what the plan covers",
  "0M": "not covered by the plan",
  "0N": "prior approval was required",
  "0P": "requested information wasn't received",
  "0Q": "duplicate of an earlier request",
  "0R": "service doesn't match the diagnosis",
  "0S": "condition existed before the coverage",
  "0T": "payer considers the service experimental",
  "0U": "payer needs more patient information",
  "0V": "requires medical review",
  "0W": "pending review",
  "0X": "service doesn't match the provider type",
  "0Y": "service doesn't match the patient's age",
  "0Z": "service doesn't match the patient's sex",
  "10": "amount or frequency of the service",
  "11": "cost of the service",
  "12": "patient is restricted to a specific provider",
  "13": "another provider has the authorization",
  "14": "plan rules weren't followed",
  "15": "outside the plan's area",
  "16": "wrong kind of facility",
  "17": "requested too late",
  "18": "payer was notified",
  "19": "payer considers the service cosmetic",
  "20": "covered once per lifetime",
  "21": "transport denied",
  "25": "not reviewed because of other errors in the request",
  "26": "provider's role is missing",
};

/** A reason as shown; codes are compared without regard to case. */
export type DecisionReason = { readonly code: string; readonly label?: string | undefined };

export function decisionReason(code: string): DecisionReason {
  const key = code.trim().toUpperCase();
  return { code, label: Object.hasOwn(labels, key) ? labels[key] : undefined };
}
