import type { Store } from "#lib/db/db";
import { newId } from "#lib/db/new-id";

type DeliveryOf = { readonly taskId: string; readonly practiceId: string; readonly channelId: string };

/** A delivery of a task's first change that has failed for good. */
export async function aFailedDelivery(store: Store, given: DeliveryOf): Promise<string> {
  const id = newId();
  await store.prisma.webhookDelivery.create({
    data: {
      id,
      ...given,
      version: 1,
      state: "transmit-held",
      changedAt: new Date(),
      status: "failed",
      tries: 10,
      httpStatus: 500,
    },
  });
  return id;
}
