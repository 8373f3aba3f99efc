import { conditionsText } from "#lib/messages/admin/payers";
import type { CaseView } from "#lib/task/views";

type Receiver = { readonly name: string; readonly reviewsFor?: string | undefined };

/** Who receives a request: the payer, or whoever reviews it for the payer. */
export function receiverOf({ connection, payer }: Pick<CaseView, "connection" | "payer">): Receiver {
  const own = payer.name ?? payer.id;
  if (connection.payerId === payer.id) return { name: own };
  return { name: connection.payerName ?? connection.payerId, reviewsFor: own };
}

/** Why a request goes over its payer connection, in a sentence or two. */
export function whyConnection({
  connection: { payerId, rule, rules, isKept },
  payer,
}: Pick<CaseView, "connection" | "payer">): string {
  const name = payer.name ?? payer.id;
  const kept = isKept ? " It stays there, because the payer has the request or may have it." : "";
  if (rule) return `Rule ${rule.position} of ${name}, ${rule.name}: ${conditionsText(rule)}.${kept}`;
  if (payerId !== payer.id) return `It was submitted there.${kept}`;
  const own = payer.configured
    ? `${name} has its own payer connection.`
    : `${name} has no payer connection, so a person submits it.`;
  const passed = rules === 0 ? "" : rules === 1 ? " Its one rule doesn't fit." : ` None of its ${rules} rules fits.`;
  return `${own}${passed}${kept}`;
}
