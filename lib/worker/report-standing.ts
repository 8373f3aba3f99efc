import { hostname } from "node:os";
import { newId } from "#lib/db/new-id";
import type { Store } from "#lib/db/db";
import { instruments } from "#lib/platform/metrics/instruments";
import { beat, type ComparedDatabase, endBeats } from "#lib/submission/store/worker-heartbeats";
import { type Figures, readFigures } from "#lib/submission/store/figures";

type Options = {
  readonly store: Store;
  /** What is under way in this worker, whether it submits at all, and the database that it found complete. */
  readonly standing: () => Readonly<{ inHand: number; maySubmit: boolean; compared: ComparedDatabase | undefined }>;
  /** Without it, only that it is at work is reported. */
  readonly isMeasuring: boolean;
  /** Whether some worker signs heads of the audit log, as far as this one knows. */
  readonly signsHeads?: boolean | undefined;
};

/** How a worker says that it is at work, and reads how the service stands. Each is a round of its own. */
export function standingReports({ store, standing, isMeasuring, signsHeads }: Options) {
  const workerId = newId();
  return {
    beats: { round: () => beat(store, { workerId, host: hostname(), ...standing() }), everyMs: 5_000 },
    figures: isMeasuring
      ? { round: async () => showFigures(await readFigures(store, { signsHeads })), everyMs: 15_000 }
      : undefined,
    end: () => endBeats(store, workerId),
  };
}

function showFigures(figures: Figures): void {
  const shown = instruments();
  const { releases, unconfirmed, webhooks, mail, audit, workers } = figures;
  shown.releasesWaiting.set(releases.count);
  shown.oldestClaimable.set(releases.oldestS);
  shown.unconfirmed.set(unconfirmed.count);
  shown.oldestUnconfirmed.set(unconfirmed.oldestS);
  shown.webhooksWaiting.set(webhooks.count);
  shown.oldestWebhook.set(webhooks.oldestS);
  shown.mailWaiting.set(mail.count);
  shown.oldestMail.set(mail.oldestS);
  shown.mailGivenUp.set(figures.mailGivenUp);
  shown.auditUnsigned.set(audit.unsignedS);
  shown.auditBroken.set(audit.broken);
  shown.stoppedChains.set(audit.stopped);
  shown.workers.set(workers.count);
  shown.workersSubmitting.set(workers.submitting);
  shown.workerSilent.set(workers.silentS);
  shown.queue.reset();
  for (const { state, age, count } of figures.queue) shown.queue.set({ state, age }, count);
  shown.payerAway.reset();
  for (const { payerHost, forS } of figures.away) shown.payerAway.set({ payer_host: payerHost }, forS);
  shown.standbys.reset();
  for (const { syncState, count } of figures.standbys) shown.standbys.set({ sync_state: syncState }, count);
  shown.commitsWait.set(figures.commitsAlone ? 0 : 1);
  shown.standbyLag.set(Math.max(0, ...figures.standbys.map(({ lagS }) => lagS)));
  shown.partitionsLeft.set(figures.partitionsLeftS);
  shown.figuresAt.setToCurrentTime();
}
