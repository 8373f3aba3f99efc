import type { Logger } from "pino";
import type { Store } from "#lib/db/db";
import { noticeAccountChanges, claimAccountMail } from "#lib/person/store/account-mail";
import { forgetOldMail, noticeChanges, noticeExpiring } from "#lib/person/store/mail";
import { duePeople, markFailed, markSent, claimDueMail } from "#lib/person/store/mail-outbox";
import { accountLetter } from "./account-letter.ts";
import { letterOf } from "./letter.ts";
import type { Letter, Mailer } from "./mailer.ts";

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
    await noticeAccountChanges(store);
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
    const written = await letterTo(store, personId, publicUrl);
    if (!written) continue;
    const { due, letter } = written;
    const sent = await mailer.send(letter, signal);
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

type Due = Parameters<typeof markSent>[1] & { readonly tries: number };

/** One letter at a time: of a change in how they sign in first. Undefined where nothing is left to tell. */
async function letterTo(
  store: Store,
  personId: string,
  publicUrl: string,
): Promise<{ due: Due; letter: Letter } | undefined> {
  const account = await claimAccountMail(store, personId);
  if (account) return { due: account, letter: accountLetter(account, publicUrl) };
  const cases = await claimDueMail(store, personId);
  return cases && { due: cases, letter: letterOf(cases, publicUrl) };
}
