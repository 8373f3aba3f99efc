/**
 * Why a payer decided as it did (X12 list 886, HCR03), in our own words. A code that is not here is shown as it came,
 * never guessed.
 */
const labels: Readonly<Record<string, string>> = {
  "4": "more units than the payer allows",
  "7": "canceled for administrative reasons",
  "9": "provider is outside the plan's network",
  "0A": "tests are not part of it",
  "0B": "passed on to an outside reviewer, whose answer follows",
  "0C": "access to this service is restricted",
  "0D": "primary care provider must authorize it first",
  "0E": "provider is not the patient's primary care provider",
  "0F": "payer sees no medical need",
  "0G": "another level of care would be right",
  "0H": "this service needs no authorization",
  "0J": "an outside reviewer decides this",
  "0K": "primary care is to provide it",
  "0L": "beyond what the plan pays for",
  "0M": "plan does not cover this service",
  "0N": "an approval was needed beforehand",
  "0P": "what the payer asked for did not arrive",
  "0Q": "payer has the same request already",
  "0R": "service does not fit the diagnosis",
  "0S": "condition existed before the coverage",
  "0T": "payer holds the service to be experimental",
  "0U": "payer needs more about the patient",
  "0V": "needs a medical review",
  "0W": "waits for a review",
  "0X": "service does not fit the kind of provider",
  "0Y": "service does not fit the patient's age",
  "0Z": "service does not fit the patient's gender",
  "10": "amount or frequency of the service",
  "11": "price of the service",
  "12": "patient is bound to a certain provider",
  "13": "another provider has the authorization",
  "14": "plan's rules were not followed",
  "15": "outside the plan's area",
  "16": "wrong kind of facility",
  "17": "asked for too late",
  "18": "payer has taken notice",
  "19": "payer holds the service to be cosmetic",
  "20": "plan pays for this once in a lifetime",
  "21": "transport is refused",
  "25": "not looked at, because of other faults in the request",
  "26": "provider's role is missing",
};

/** A reason as shown; codes are compared without regard to case. */
export type DecisionReason = { readonly code: string; readonly label?: string | undefined };

export function decisionReason(code: string): DecisionReason {
  const key = code.trim().toUpperCase();
  return { code, label: Object.hasOwn(labels, key) ? labels[key] : undefined };
}
