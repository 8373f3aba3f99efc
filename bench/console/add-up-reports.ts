import { acrossPractices } from "#lib/db/for-practices";
import { rollUpReports } from "#lib/report/roll-up-reports";
import { practicesToFollow } from "#lib/report/store/roll-up";
import { openWholeStore } from "#test/support/database/whole-store";

type Secrets = { readonly sealingKey: string; readonly channelKeyPepper: string; readonly receiptSigningKey: string };

/** Adds up all days of all practices, as the worker does, which the bench doesn't start: a report of nothing is fast. */
export async function addUpReports(appUrl: string, secrets: Secrets): Promise<void> {
  const keyOf = (secret: string) => Buffer.from(secret, "base64");
  const store = openWholeStore({
    ...{ url: appUrl, connectionsMax: 2, sealingKey: keyOf(secrets.sealingKey) },
    ...{ keyPepper: keyOf(secrets.channelKeyPepper), receiptKey: keyOf(secrets.receiptSigningKey) },
  });
  try {
    while ((await practicesToFollow(acrossPractices(store, "reports"))).length > 0) await rollUpReports(store);
  } finally {
    await store.close();
  }
}
