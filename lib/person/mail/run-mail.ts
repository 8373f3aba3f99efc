import type { Logger } from "pino";
import type { Store } from "#lib/db/db";
import { eachAlone } from "#lib/db/each-alone";
import { noticeAccountChanges, claimAccountMail } from "#lib/person/store/account-mail";
import { claimChangeMail, noticeWaitingChanges } from "#lib/person/store/change-mail";
import { forgetOldMail, noticeChanges, noticeEnding, noticeExpiring } from "#lib/person/store/mail";
import { duePeople, markFailed, markSent, claimDueMail } from "#lib/person/store/mail-outbox";
import { composeAccountMail } from "./account-mail.ts";
import { composeCaseMail } from "./case-mail.ts";
import { composeChangeMail } from "./change-mail.ts";
import type { Mailer, MailMessage } from "./mailer.ts";

/** The shortest time between two mails to a person; what happens in between comes in one mail. */
const quietS = 60;

/** A round begins no mail after this time, because only the next one learns of an emergency that came up meanwhile. */
const roundLimitMs = 60_000;

/** How often the worker looks for gates that are about to expire, and how far back its first look goes. */
const expiringEveryMs = 5 * 60_000;
const firstLookBackMs = 24 * 3_600_000;

/** How often it looks for approvals that end, which is a matter of days. */
const endingEveryMs = 60 * 60_000;

/** How long to wait after the server failed, at most a quarter of an hour. */
const restMs = (failures: number) => Math.min(15 * 60_000, 15_000 * 2 ** failures);

type Settings = {
  readonly store: Store;
  readonly log: Logger;
  readonly mailer: Mailer;
  /** The address of the case pages. */
  readonly publicUrl: string;
  readonly quietS?: number | undefined;
  readonly roundMs?: number | undefined;
};

/**
 * Returns one round of mail: it puts into the outbox what happened since the last round, then sends what is due. A
 * server that does not answer ends the round, and the next rounds wait a while before they try it again; nothing due is
 * lost. What cannot be noted delays no mail that is due: the round fails after it. Run one round at a time.
 */
export function mailRounds(settings: Settings): (signal: AbortSignal) => Promise<void> {
  let [expiringTriedAt, expiringAt, endingTriedAt] = [0, 0, 0];
  let failures = 0;
  let restUntil = 0;
  const dueNotices = (now: number): readonly Notice[] => {
    const due: Notice[] = [noticeChanges, noticeAccountChanges, noticeWaitingChanges];
    if (now - expiringTriedAt >= expiringEveryMs) {
      expiringTriedAt = now;
      const lookBackMs = expiringAt === 0 ? firstLookBackMs : now - expiringAt + expiringEveryMs;
      due.push(forgetOldMail, async (store) => {
        await noticeExpiring(store, lookBackMs);
        expiringAt = now;
      });
    }
    if (now - endingTriedAt >= endingEveryMs) {
      endingTriedAt = now;
      due.push(noticeEnding);
    }
    return due;
  };
  return async (signal) => {
    const [noticed] = await Promise.allSettled([eachAlone(dueNotices(Date.now()), (notice) => notice(settings.store))]);
    if (Date.now() >= restUntil) {
      const isUp = await sendDue(settings, signal);
      failures = isUp ? 0 : failures + 1;
      restUntil = isUp ? 0 : Date.now() + restMs(failures - 1);
    }
    if (noticed.status === "rejected") throw noticed.reason;
  };
}

type Notice = (store: Store) => Promise<void>;

/** False as soon as the server takes no mail at all. */
async function sendDue(settings: Settings, signal: AbortSignal): Promise<boolean> {
  const { store, log, mailer, publicUrl, quietS: quiet = quietS, roundMs = roundLimitMs } = settings;
  const people = await duePeople(store, quiet);
  const endAt = Date.now() + roundMs;
  for (const personId of people) {
    if (signal.aborted || Date.now() >= endAt) return true;
    const next = await nextMail(store, personId, publicUrl);
    if (!next) continue;
    const { due, message } = next;
    const sent = await mailer.send(message, signal);
    if (sent.outcome === "sent") {
      await markSent(store, due);
      continue;
    }
    const { outcome, problem } = sent;
    log.warn({ personId, outcome, problem }, "a mail was not sent");
    await markFailed(store, due, { as: outcome, problem });
    if (outcome === "down") return false;
  }
  return true;
}

type Due = Parameters<typeof markSent>[1];

/** The next mail to a person: a change in how they sign in comes first, then what only they can confirm. Undefined where nothing is due any more. */
async function nextMail(
  store: Store,
  personId: string,
  publicUrl: string,
): Promise<{ due: Due; message: MailMessage } | undefined> {
  const account = await claimAccountMail(store, personId);
  if (account) return { due: account, message: composeAccountMail(account, publicUrl) };
  const changes = await claimChangeMail(store, personId);
  if (changes) return { due: changes, message: composeChangeMail(changes, publicUrl) };
  const cases = await claimDueMail(store, personId);
  return cases && { due: cases, message: composeCaseMail(cases, publicUrl) };
}
