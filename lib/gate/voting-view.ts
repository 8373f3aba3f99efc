import type { PersonActor } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";
import { proofKindOf } from "#lib/person/shared/proof-kind-of";
import type { TaskRow } from "#lib/task/store/task-rows";
import { loadVoting, type Inviter } from "#lib/gate/store/votes";
import { hasRecentProof } from "#lib/access/model/proof";
import type { Possible, Voting } from "#lib/task/views";

/**
 * Who has released at the open gate and how many releases it needs, as this reviewer sees it. Undefined if no gate is
 * open.
 */
export async function votingView(store: Store, actor: PersonActor, row: TaskRow): Promise<Voting | undefined> {
  if (!row.gate_id || row.stage !== "held") return undefined;
  const gate = { gateId: row.gate_id, taskId: row.id, practiceId: row.practice_id };
  const { needed, stepUp, owners, ownerless, given, releasers, readerLetInBy } = await loadVoting(
    store,
    gate,
    actor.id,
  );
  const counted = given.filter(({ counts, personId }) => counts && personId !== actor.id);
  return {
    needed,
    releasers,
    given: given.map(({ personId, name, at, counts }) => ({ name, at, counts, mine: personId === actor.id })),
    oneHand: oneHandOf([...counted, { personId: actor.id, letInBy: readerLetInBy }]),
    ownsChannel: owners.includes(actor.id),
    editedIt: needed > 1 && row.gate_action === "transmit" && row.edited_by.includes(actor.id),
    ownerless,
    asksProof: stepUp && !hasRecentProof(actor, row.now) ? await proofKindOf(store, actor) : undefined,
  };
}

/**
 * The administrator who invited several of these people, perhaps including themselves. As far as the service knows,
 * they could be one person.
 */
function oneHandOf(list: readonly { readonly personId: string; readonly letInBy?: Inviter }[]): Voting["oneHand"] {
  for (const { letInBy: hand } of list) {
    const people = list.filter(({ personId, letInBy }) => hand && [personId, letInBy?.id].includes(hand.id)).length;
    if (hand && people > 1) return { name: hand.name, people };
  }
  return undefined;
}

/** What this reviewer may do, of what any reviewer may. */
export function possibleWith(can: readonly Possible[], voting: Voting | undefined): readonly Possible[] {
  if (!voting) return can;
  const { given, needed, ownsChannel, editedIt, ownerless } = voting;
  const mine = given.some((release) => release.mine);
  const short = given.filter(({ counts }) => counts).length < needed;
  const shut = ownsChannel || editedIt || ownerless || (mine && short);
  return can
    .filter((possible) => possible !== "release" || !shut)
    .flatMap((possible) => (possible === "decline" && mine ? ["withdraw-vote", possible] : [possible]));
}
