import { atoms, type PersonActor } from "#lib/access/model/actor";
import { grantsOf, powersOf } from "#lib/access/model/grant";
import { createChannel } from "#lib/channel/create-channel";
import { setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import type { Store } from "#lib/db/db";
import { warningTypes } from "#lib/gate/model/checks";
import { createPerson } from "#lib/person/create-person";
import { createPractice } from "#lib/practice/create-practice";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { setRoute } from "#lib/practice/set-route";
import { done } from "#test/support/people/admin";
import { fullReview } from "#test/support/agents/reviews";

/** Who sends for a practice, and who releases there. */
export type Desk = {
  readonly practiceId: string;
  readonly key: string;
  readonly reviewer: PersonActor;
  /** Where changes of its tasks are told. */
  readonly webhook?: string | undefined;
};

type Scene = {
  /** One for all, or one for each in turn. */
  readonly payerUrl: string | readonly string[];
  readonly count: number;
  readonly recallWindowS?: number;
  /** Where changes of every task are told. */
  readonly webhook?: string;
};

/** Practices with a channel, a reviewer and a payer connection each. */
export async function makeDesks(store: Store, { payerUrl, count, recallWindowS = 0, webhook }: Scene) {
  const payers = [payerUrl].flat();
  const operator = { actor: { kind: "operator" }, store } as const;
  const desks: Desk[] = [];
  for (let n = 1; n <= count; n += 1) {
    const practiceId = `practice-${n}`;
    const practice = { id: practiceId, name: practiceId, environment: "test", recallWindowS } as const;
    await done(createPractice(operator, practice));
    // Nobody is there to give reasons.
    await done(setNotedWarnings(operator, { practiceId, noted: warningTypes }));
    const url = `${payers[(n - 1) % payers.length]}/fhir`;
    const route = { connector: "pas-fhir", url, environment: "test", credential: "right" } as const;
    await done(setRoute(operator, { practiceId, payerId: fullReview.payer.id, ...route }));
    const { id: channelId, key } = await done(
      createChannel(operator, { name: practiceId, practices: [practiceId], atoms, callsPerSecond: "none" }),
    );
    if (webhook !== undefined) await done(setChannelWebhooks(operator, { channelId, hosts: [new URL(webhook).host] }));
    desks.push({ practiceId, key, webhook, reviewer: await aReviewer(operator, practiceId) });
  }
  return desks;
}

async function aReviewer(operator: Parameters<typeof createPerson>[0], practiceId: string) {
  const [email, name] = [`reviewer@${practiceId}.example`, `Reviewer of ${practiceId}`];
  const roles = ["reviewer"] as const;
  const made = { email, name, password: "the rig's desk 7731 only", roles, practices: [practiceId] };
  const { id } = await done(createPerson(operator, made));
  return { kind: "person", id, name, ...powersOf(grantsOf(roles, [practiceId])) } as const;
}
