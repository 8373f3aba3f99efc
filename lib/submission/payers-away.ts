import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { outageOf, outagesOf, type AwayPayer } from "#lib/submission/store/payer-outages";
import { reviewedBy } from "#lib/task/desk-refusal";

export type { AwayPayer };

/**
 * The payers that do not answer at present, among those of the practices a person reviews for, the longest away first.
 * What is released to them waits, and is submitted once they answer.
 */
export async function payersAway({ actor, store }: Context<PersonActor>): Promise<readonly AwayPayer[]> {
  return outagesOf(store, { practices: reviewedBy(actor) });
}

/** Since when the payer of a case has not answered; undefined if it answers, or if the person does not review the practice. */
export async function payerAwaySince(
  { actor, store }: Context<PersonActor>,
  { taskId }: { readonly taskId: string },
): Promise<Date | undefined> {
  return outageOf(store, { taskId, practices: reviewedBy(actor) });
}
