import type { Build } from "./connector.ts";

/** Whether an update has files that the payer does not have from an earlier submission. */
export function bringsFiles({ attachments, sent }: Pick<Build, "attachments" | "sent">): boolean {
  const latest = Math.max(0, ...sent.filter(({ action }) => action === "transmit").map(({ revision }) => revision));
  return attachments.some(({ since }) => since > latest);
}
