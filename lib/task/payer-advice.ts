import { similarPayers } from "#lib/practice/directory/similar-payers";
import { payerLabel, type PayerName } from "#lib/practice/model/payer-name";
import { delegatedInPart, type AskedPayer, type ResolvedRoute } from "#lib/practice/store/resolved-route";
import { isClosed, isUnknown } from "#lib/practice/model/payer-standing";
import { messageProblems } from "#lib/messages/problems/agent";
import type { ServiceReview } from "./model/service-review.ts";
import type { Issue } from "./refusal.ts";
import type { Warning } from "./advice.ts";

/**
 * Why a request to this payer is not taken: the practice's directory lists others, and its administrators take no request to
 * anybody else. It names whom the agent may have meant. Undefined where the request is taken.
 */
export function unlistedPayer(
  { practice, payer }: ResolvedRoute,
  { review, dataPath }: { readonly review: ServiceReview; readonly dataPath: string },
): Issue | undefined {
  if (!isClosed(payer.standing, practice.unlistedPayers)) return undefined;
  const meant = meantBy(payer, review);
  return {
    path: `${dataPath}/serviceReview/payer/id`,
    problem: messageProblems.unknownPayer(didYouMean(meant)),
    suggestions: meant.map(({ payerId: id, name }) => ({ id, name })),
  };
}

function didYouMean(meant: readonly PayerName[]): string {
  if (meant.length === 0) return messageProblems.payersOnCard;
  return messageProblems.didYouMean(new Intl.ListFormat("en", { type: "disjunction" }).format(meant.map(payerLabel)));
}

/** What an agent is warned of about the payer of its request, before the payer has it. */
export function payerWarnings(route: ResolvedRoute, review: ServiceReview): readonly Warning[] {
  const { payer } = route;
  const part = delegatedInPart(route, review);
  const inPart = (part?.procedures ?? []).map((index): Warning => {
    const values = [part?.name ?? "", review.procedures[index]?.code ?? ""];
    return { code: "delegated-in-part", path: `/procedures/${index}`, values };
  });
  if (!isUnknown(payer.standing)) return inPart;
  const meant = meantBy(payer, review);
  return [{ code: "unlisted-payer", path: "/payer/id", values: [payer.id, ...meant.map(payerLabel)] }, ...inPart];
}

/** By the payer's id, or else by its name, which may be right where the id is not. */
function meantBy({ known }: AskedPayer, { payer }: ServiceReview): readonly PayerName[] {
  const byId = similarPayers(payer.id, known);
  return byId.length > 0 ? byId : similarPayers(payer.name ?? "", known);
}
