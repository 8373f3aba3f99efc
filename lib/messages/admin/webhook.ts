import type { DeliveryProblem, DeliveryRecord, DeliveryStatus } from "#lib/channel/webhook/model/delivery";

export const deliveryStatusTexts: Readonly<Record<DeliveryStatus, string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
  superseded: "Superseded",
};

const problems: Readonly<Record<DeliveryProblem, string>> = {
  "address-refused": "The address is not on the public internet",
  unreachable: "No connection",
  "no-answer": "No answer in time",
  "not-allowed": "The channel's access was removed",
};

/** What came of the last try. */
export function deliveryResultText({ tries, httpStatus, problem }: DeliveryRecord): string {
  const result = problem === undefined ? httpStatus && `HTTP ${httpStatus}` : problems[problem];
  if (!result) return tries === 0 ? "Not tried yet" : "In progress";
  return tries > 1 ? `${result} (${tries} tries)` : result;
}
