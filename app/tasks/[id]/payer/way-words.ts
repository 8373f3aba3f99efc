import type { Delivery } from "#lib/task/model/delivery";
import type { LearnedBy } from "#lib/task/model/determination";

/** How something came to the payer or from it, in words. */
export const wayText: Readonly<Record<Delivery | LearnedBy["by"], string>> = {
  letter: "by letter",
  portal: "in the payer's portal",
  phone: "by phone",
  fax: "by fax",
};
