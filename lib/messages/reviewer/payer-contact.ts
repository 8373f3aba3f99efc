import type { Delivery } from "#lib/task/model/delivery";
import type { LearnedBy } from "#lib/task/model/determination";

/** How a person reached the payer or heard from it, as the end of a sentence. */
export const contactText: Readonly<Record<Delivery | LearnedBy["by"], string>> = {
  letter: "by letter",
  portal: "in the payer's portal",
  phone: "by phone",
  fax: "by fax",
};
