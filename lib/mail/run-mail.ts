import type { Logger } from "pino";
import type { Store } from "#lib/store/db";
import { forgetOldMail, noticeChanges, noticeExpiring } from "#lib/store/mail";
import { duePeople, markFailed, markSent, takeMail } from "#lib/store/mail-outbox";
import { letterOf } from "./letter.ts";
import type { Mailer } from "./mailer.ts";

/** Nobody gets letters closer together than this; what comes in between comes in one. */
const quietS = 60;

/** How often to look for gates that are about to expire, and how far the first look goes back. */
const expiringEveryMs = 5 * 60_000;
const firstLookBackMs = 24 * 3_600_000;

/** After this many refusals for now a letter is given up. */
const triesMax = 8;

const retryS = (tries: number) => Math.min(3_600, 30 * 2 ** tries);

/** How long the server is left alone after a failure of its own, up to a quarter of an hour. */
const restMs = (failures: number) => Math.min(15 * 60_000, 15_000 * 2 ** failures);

type Settings = {
  readonly store: Store;
  readonly log: Logger;
  readonly mailer: Mailer;
  /** The address of the case pages. */
  readonly publicUrl: string;
  readonly quietS?: number | undefined;
};

/**
 * One round at a time: notes whom to tell of what happened, then writes to
 * those who are due. A server that does not answer ends the round and is left
 * alone for a while; what is due waits.
 */
export function mailRounds(settings: Settings): (signal: AbortSignal) => Promise<void> {
  let expiringAt = 0;
  let failures = 0;
  let restUntil = 0;
  return async (signal) => {
    const { store } = settings;
    await noticeChanges(store);
    const now = Date.now();
    if (now - expiringAt >= expiringEveryMs) {
      await noticeExpiring(store, expiringAt === 0 ? firstLookBackMs : now - expiringAt + expiringEveryMs);
      await forgetOldMail(store);
      expiringAt = now;
    }
    if (now < restUntil) return;
    const isUp = await writeToAll(settings, signal);
    failures = isUp ? 0 : failures + 1;
    restUntil = isUp ? 0 : Date.now() + restMs(failures - 1);
  };
}

/** False as soon as the server takes no letter at all. */
async function writeToAll({ store, log, mailer, publicUrl, quietS: quiet = quietS }: Settings, signal: AbortSignal) {
  for (const personId of await duePeople(store, quiet)) {
    if (signal.aborted) return true;
    const due = await takeMail(store, personId);
    if (!due) continue;
    const sent = await mailer.send(letterOf(due, publicUrl), signal);
    if (sent.outcome === "sent") {
      await markSent(store, due);
      continue;
    }
    const { outcome, problem } = sent;
    log.warn({ personId, outcome, problem, tries: due.tries }, "a mail was not sent");
    // A server that is down says nothing about the letter; it is told for as long as it is true.
    const isOver = outcome === "refused" || (outcome === "later" && due.tries >= triesMax);
    await markFailed(store, due, { problem, retryS: isOver ? undefined : retryS(due.tries) });
    if (outcome === "down") return false;
  }
  return true;
}
