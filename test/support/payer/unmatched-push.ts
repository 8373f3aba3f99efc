import { randomUUID } from "node:crypto";
import type { Store } from "#lib/db/db";
import { keepUnmatched } from "#lib/payer/inbox/store/unmatched-pushes";
import { aPerson, aPractice, aRoute } from "../cases/cases.ts";

/** A notification of a payer that matched no case, in a practice of its own with a reviewer. */
export async function anUnmatchedPush(store: Store, text = '{"resourceType":"Bundle","type":"history"}') {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  const { id: routeId, payerId } = await store.prisma.route.findFirstOrThrow({ where: { practiceId } });
  const body = Buffer.from(text);
  await keepUnmatched(store, { routeId, practiceId, payerId, digest: randomUUID(), body });
  const { id } = await store.prisma.unmatchedPush.findFirstOrThrow({ where: { practiceId } });
  return { id, practiceId, body, reviewer: await aPerson(store, { practices: [practiceId] }) };
}
