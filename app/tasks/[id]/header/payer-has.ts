import type { CaseView } from "#lib/task/views";

/** What the payer has of a case of which nothing is on its way: a request before an update or a void is there already. */
export function payerHasText({ payerReceipt, submissions }: Pick<CaseView, "payerReceipt" | "submissions">): string {
  switch (payerReceipt) {
    case "yes":
      return "The payer has the earlier request.";
    case "maybe":
      return "The payer may have the earlier request.";
    case "no": {
      const last = submissions.find(({ action }) => action === "transmit")?.result;
      if (last === "refused") return "The payer rejected the earlier request.";
      return last === undefined ? "Not submitted." : "The payer has no record of the earlier request.";
    }
  }
}

/** Whether the payer has the revision that the page shows: an update that waits for its release is not there yet. */
export function payerHasRevision({
  payerReceipt,
  requested,
  revision,
}: Pick<CaseView, "payerReceipt" | "requested" | "revision">): boolean {
  return payerReceipt === "yes" && requested.revision === revision.number;
}
