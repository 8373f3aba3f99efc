import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { onePerProcess } from "#lib/platform/process/one-per-process";

/** Seconds: from a poll, over a case page, to a payer's minute. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export type Instruments = ReturnType<typeof makeInstruments>;

/**
 * What this process counts and measures. Labels are words of ours and hosts of payers: never an id, and never anything
 * that a caller sent.
 */
export function instruments(): Instruments {
  return onePerProcess("instruments", makeInstruments);
}

type Pool = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

/** Shows how many connections to the database are open, idle and waited for. */
export function showConnections({ totalCount, idleCount, waitingCount }: Pool): void {
  const { databaseConnections: shown } = instruments();
  shown.set({ state: "open" }, totalCount);
  shown.set({ state: "idle" }, idleCount);
  shown.set({ state: "waited-for" }, waitingCount);
}

/** What is counted of an answered call. A method that is not served and a call without a fault have none. */
export type AnsweredFigures = {
  readonly method: string | undefined;
  readonly fault: string | undefined;
  readonly ms: number;
};

/** Counts an answered call in the metrics of this process. */
export function countCall({ method = "none", fault = "none", ms }: AnsweredFigures): void {
  const { calls, callSeconds } = instruments();
  calls.inc({ method, fault });
  callSeconds.observe({ method }, ms / 1_000);
}

/** Shows 0 of what an alert waits for, because Prometheus sees no increase in a series that begins at 1. */
export function showNoFailures(methods: readonly string[]): void {
  const { calls } = instruments();
  for (const method of [...methods, "none"]) for (const fault of ["internal", "busy"]) calls.inc({ method, fault }, 0);
}

function makeInstruments() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  return {
    registry,
    ...served({ counter, histogram }),
    ...exchanged({ counter, gauge, histogram }),
    ...read({ gauge }),
    ...archived({ counter, gauge }),
    databaseAnswers: gauge("pa_database_answers", "1 while the database answers this process, else 0"),
    databaseConnections: gauge("pa_database_connections", "Connections of this process by state", ["state"]),
  };
}

type Makers = {
  readonly counter: <Label extends string>(name: string, help: string, labels?: readonly Label[]) => Counter<Label>;
  readonly gauge: <Label extends string>(name: string, help: string, labels?: readonly Label[]) => Gauge<Label>;
  readonly histogram: <Label extends string>(
    ...args: [name: string, help: string, labels: readonly Label[], buckets: number[]]
  ) => Histogram<Label>;
};

/** Of the web server. */
function served({ counter, histogram }: Pick<Makers, "counter" | "histogram">) {
  return {
    calls: counter("pa_calls_total", "Answered calls by method and fault; a call that succeeded has the fault none", [
      ...(["method", "fault"] as const),
    ]),
    callSeconds: histogram("pa_call_seconds", "Time to answer a call", ["method"], seconds),
    batchSize: histogram("pa_statement_batch_size", "Calls that one statement answered", [], [1, 2, 4, 8, 16, 32, 64]),
    signInRefusals: counter("pa_sign_in_refusals_total", "Sign-ins that were refused", ["reason"]),
  };
}

/** Of the worker's exchanges with payers. */
function exchanged({ counter, gauge, histogram }: Makers) {
  return {
    exchanges: counter("pa_payer_exchanges_total", "Exchanges with a payer host by what they say of the host", [
      ...(["payer_host", "outcome"] as const),
    ]),
    exchangeSeconds: histogram("pa_payer_exchange_seconds", "Time of a submission or inquiry", ["payer_host"], seconds),
    payerInHand: gauge("pa_payer_in_hand", "Submissions and inquiries under way", ["payer_host"]),
    payerRoom: gauge("pa_payer_room", "How many more a payer host may be given", ["payer_host"]),
    submissions: counter("pa_submissions_total", "Submissions by connector and the payer's answer", [
      ...(["connector", "outcome"] as const),
    ]),
    inquiries: counter("pa_inquiries_total", "Inquiries by connector and the payer's answer", [
      ...(["connector", "answer"] as const),
    ]),
    rounds: counter("pa_worker_rounds_total", "Rounds in which the worker looked for work"),
  };
}

/** Of the archive of closed cases: what any process asks it, and what a worker brings there. */
function archived({ counter, gauge }: Pick<Makers, "counter" | "gauge">) {
  const archiveExchanges = counter("pa_archive_exchanges_total", "Exchanges with the archive by what became of them", [
    ...(["act", "outcome"] as const),
  ]);
  // From the start, because Prometheus sees no increase in a series that begins at 1.
  for (const outcome of ["missing", "changed", "away"]) archiveExchanges.inc({ act: "get", outcome }, 0);
  for (const act of ["put", "look"]) archiveExchanges.inc({ act, outcome: "away" }, 0);
  return {
    archiveExchanges,
    archivedValues: counter("pa_archived_values_total", "Values that a worker moved to the archive"),
    archivedBytes: counter("pa_archived_bytes_total", "Sealed bytes that a worker moved to the archive"),
    archiveFailures: counter("pa_archive_failures_total", "Times that a worker could not archive a closed case"),
    archiveFailing: gauge(
      "pa_archive_failing_cases",
      "Closed cases that could not be archived and are tried again, by this worker's last round",
    ),
    archiveOldest: gauge(
      "pa_archive_oldest_seconds",
      "How long the oldest closed case has been due for the archive, by this worker's last round",
    ),
  };
}

/** What each worker reads of the database from time to time; the same from every worker. */
function read({ gauge }: Pick<Makers, "gauge">) {
  return {
    figuresAt: gauge("pa_figures_read_timestamp_seconds", "When the figures below were read"),
    releasesWaiting: gauge("pa_releases_waiting", "Releases that are due and not claimed"),
    oldestClaimable: gauge("pa_oldest_claimable_seconds", "How long the oldest of them has been due"),
    unconfirmed: gauge("pa_submissions_unconfirmed", "Submissions of which nobody knows whether they arrived"),
    oldestUnconfirmed: gauge("pa_oldest_unconfirmed_seconds", "How long ago the oldest of them was submitted"),
    payerAway: gauge("pa_payer_away_seconds", "For how long a payer host has not answered", ["payer_host"]),
    queue: gauge("pa_queue_cases", "Open cases by state and by how long ago they came", ["state", "age"]),
    webhooksWaiting: gauge("pa_webhooks_waiting", "Webhook deliveries that are due"),
    oldestWebhook: gauge("pa_oldest_webhook_seconds", "How long the oldest of them has been due"),
    mailWaiting: gauge("pa_mail_waiting", "Mails that are due, or were tried and did not get out"),
    oldestMail: gauge("pa_oldest_mail_seconds", "How long the oldest of them has been due"),
    mailGivenUp: gauge(
      "pa_mail_given_up",
      "Mails of the last day that the mail server did not take and that are not tried again",
    ),
    auditUnsigned: gauge(
      "pa_audit_unsigned_seconds",
      "How long the oldest audit entry without a signed head has waited",
    ),
    auditBroken: gauge("pa_audit_broken_chains", "Chains of the audit log that did not verify"),
    stoppedChains: gauge(
      "pa_stopped_chains",
      "Practices for which nothing is submitted until an operator recovers them",
    ),
    standbys: gauge("pa_database_standbys", "Standbys of the database by how they are replicated", ["sync_state"]),
    commitsWait: gauge("pa_database_commits_wait", "1 while commits wait for a standby, 0 while they wait for none"),
    standbyLag: gauge("pa_database_standby_lag_seconds", "How far the slowest standby is behind"),
    partitionsLeft: gauge("pa_partitions_left_seconds", "For how long tables divided by time have partitions"),
    workers: gauge("pa_workers", "Workers that reported within the last minute"),
    workersSubmitting: gauge("pa_workers_submitting", "Those of them that may submit"),
    workerSilent: gauge("pa_worker_silent_seconds", "For how long no worker has reported"),
  };
}
