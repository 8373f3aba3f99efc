import type { Logger } from "pino";
import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { announce } from "#lib/db/announce";
import type { Store } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { logFailure } from "#lib/db/unavailable";
import { pollDelaysMs } from "#lib/submission/polling";
import {
  claimTries,
  endOutage,
  forgetOutage,
  noteOutage,
  practicesWaitingFor,
  readOutages,
} from "#lib/submission/store/payer-outages";
import type { DueRelease } from "#lib/submission/model/due-work";
import { reserveReleases, reserveTrial } from "#lib/submission/store/reserve-releases";
import { claimDuePolls, claimTrialPoll } from "#lib/submission/shared/work";
import { createInHand, type InHand } from "./in-hand.ts";
import { inquire } from "./inquire.ts";
import { createPayerHosts, type HostFailure, type HostFigures } from "./payer-hosts.ts";
import { submit, type SubmitOptions } from "./submit.ts";

type Settings = {
  readonly store: Store;
  readonly log: Logger;
  /** How many submissions and inquiries this worker has in hand at most. */
  readonly concurrency: number;
  readonly submitOptions: SubmitOptions;
  readonly signal: AbortSignal;
};

export type PayerWork = {
  /** How much each payer host has under way here, and how much more it may be given. */
  readonly hosts: () => readonly HostFigures[];
  /** Looks once for what is due, also for hosts that are away. */
  readonly round: () => Promise<void>;
  readonly inHand: InHand;
};

type Act = (ctx: Context<WorkerActor>, options: SubmitOptions, taskId: string) => Promise<void>;

/** Places of one host, of one practice, as a part of all. */
const shareOfHost = 3 / 4;
const shareOfPractice = 1 / 2;

/** How soon after one look another follows where places became free, so that several share it. */
const againMs = 100;

/**
 * Submissions and inquiries: what is due goes to the payers, in turn between practices and with a limit for each payer
 * host. Whatever ends makes room for the next at once. A host that stops answering gets nothing but one exchange now and
 * then, until that succeeds; what waits for it then goes at once.
 */
export function createPayerWork({ store, log, concurrency, submitOptions, signal }: Settings): PayerWork {
  const eachPractice = part(concurrency, shareOfPractice);
  const inHand = createInHand({ log, most: concurrency, eachPractice });
  const onError = (error: unknown) => logFailure(log, { err: error }, "looking for work failed");
  const outages = outageNotes({ store, log, lookAgain, onError });
  const hosts = createPayerHosts({ most: part(concurrency, shareOfHost), ...outages });
  let looking: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;

  function begin({ taskId, practiceId, payerHost }: DueRelease, act: Act): void {
    const place = hosts.enter(payerHost);
    const ctx = { actor: { kind: "worker" }, store: forPractices(store, [practiceId]) } as const;
    const isBegun = inHand.start({
      ...{ taskId, practiceId },
      run: () => act(ctx, { ...submitOptions, onOutcome: place.onOutcome }, taskId),
      onEnd: () => {
        place.leave();
        lookAgain();
      },
    });
    if (!isBegun) place.leave();
  }

  /** Places became free: another look, after others have become free too. */
  function lookAgain(): void {
    if (signal.aborted) return;
    again ??= setTimeout(() => {
      again = undefined;
      look().catch(onError);
    }, againMs);
  }

  function look(): Promise<void> {
    return (looking ??= lookOnce().finally(() => (looking = undefined)));
  }

  async function lookOnce(): Promise<void> {
    const limits = () => ({
      ...{ most: signal.aborted ? 0 : inHand.free(), hosts: hosts.rooms(), otherHosts: hosts.otherRoom },
      ...{ inHand: inHand.byPractice(), eachPractice },
    });
    for (const each of await reserveReleases(store, limits())) begin(each, submit);
    for (const each of await claimDuePolls(store, { delaysMs: pollDelaysMs, ...limits() })) begin(each, inquire);
  }

  return {
    inHand,
    hosts: hosts.figures,
    round: async () => {
      hosts.setAway((await readOutages(store)).map(({ payerHost }) => payerHost));
      if (inHand.free() > 0) for (const host of await claimTries(store)) await tryHost(store, host, begin);
      await look();
    },
  };
}

type NoteOptions = Pick<Settings, "store" | "log"> & {
  readonly lookAgain: () => void;
  readonly onError: (error: unknown) => void;
};

/** Tells all workers and the reviewers concerned when a host stops answering, and when it answers again. */
function outageNotes({ store, log, lookAgain, onError }: NoteOptions) {
  const tellReviewers = async (payerHost: string) => {
    for (const practiceId of await practicesWaitingFor(store, payerHost)) announce(store, "cases", practiceId);
  };
  const noteFailing = async ({ isNew, ...failure }: HostFailure) => {
    const { payerHost, reason } = failure;
    if (isNew) log.warn({ payerHost, reason }, "a payer does not answer; one exchange at a time is tried");
    await noteOutage(store, failure);
    if (isNew) await tellReviewers(payerHost);
  };
  const noteBack = async (payerHost: string) => {
    if (!(await endOutage(store, payerHost))) return;
    log.warn({ payerHost }, "a payer answers again");
    lookAgain();
    await tellReviewers(payerHost);
  };
  return {
    onFailing: (failure: HostFailure) => void noteFailing(failure).catch(onError),
    onBack: (payerHost: string) => void noteBack(payerHost).catch(onError),
  };
}

type HostTry = { readonly payerHost: string; readonly tries: number };

/** One exchange with a host that is away: an inquiry and a submission by turns, for either may fail by itself. */
async function tryHost(
  store: Store,
  { payerHost, tries }: HostTry,
  begin: (found: DueRelease, act: Act) => void,
): Promise<void> {
  const release = [() => reserveTrial(store, payerHost), submit] as const;
  const poll = [() => claimTrialPoll(store, payerHost, pollDelaysMs), inquire] as const;
  for (const [find, act] of tries % 2 === 1 ? [poll, release] : [release, poll]) {
    const found = await find();
    if (found) return begin(found, act);
  }
  // Nothing waits for it, so nothing would ever find out that it answers again.
  await forgetOutage(store, payerHost);
}

function part(of: number, share: number): number {
  return Math.max(1, Math.ceil(of * share));
}
