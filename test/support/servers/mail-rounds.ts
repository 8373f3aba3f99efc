import { pino } from "pino";
import { createMailer } from "#lib/person/mail/mailer";
import { mailRounds } from "#lib/person/mail/run-mail";
import { unscoped } from "#lib/db/db";
import { freshDatabase } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";
import { keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";

export const publicUrl = "https://prior-auth.example.org";

/** A database of one's own, because a round writes to everybody, and rounds that send its mail to the server at a URL. */
export async function aMailroom() {
  const database = await freshDatabase();
  const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
  const log = pino({ level: "silent" });
  const roundsTo = (
    url: string,
    { roundMs, ...options }: { waitMs?: number; mailMs?: number; roundMs?: number } = {},
  ) =>
    mailRounds({
      store: unscoped(store),
      log,
      mailer: createMailer({ url, from: "Prior authorization <pa@example.org>", publicUrl, ...options }),
      publicUrl,
      quietS: 0,
      roundMs,
    });
  return { database, store, roundsTo };
}

/** A signal that never ends what it goes with. */
export const going = new AbortController().signal;
