/** A figure that the model works with. A measured one stands as `figure` in the page that says how it was measured. */
export type Input = {
  readonly value: number;
  readonly unit: string;
  readonly what: string;
  readonly source: { readonly page: string; readonly figure: string } | "assumed";
};

const measured = (value: number, unit: string, what: string, page: string, figure: string): Input => ({
  value,
  unit,
  what,
  source: { page, figure },
});
const assumed = (value: number, unit: string, what: string): Input => ({ value, unit, what, source: "assumed" });

const performance = "docs/performance.md";
const thisPage = "docs/operations/capacity.md";

/** Processor time is that of server, worker and database together, because they shared the two processors it was measured on. */
export const inputs = {
  cases: assumed(1_000_000, "a year", "cases, from intake to determination"),
  practices: assumed(500, "", "practices"),
  busyHours: assumed(2_500, "hours a year", "hours in which practices work: 250 days of 10"),
  peak: assumed(3, "×", "the busiest minute, against the mean of those hours"),
  polls: assumed(40, "a case", "polls of its agent"),
  pages: assumed(4, "a case", "pages of the console that people open"),
  retention: assumed(7, "years", "how long cases are kept"),
  use: assumed(0.6, "", "part of the processors that may be busy at the peak"),
  intakesPerSecond: measured(1_008, "a second on 2 processors", "full intakes for PAS", performance, "1,008"),
  pollsPerSecond: measured(2_791, "a second on 2 processors", "first polls, none from memory", thisPage, "2,791"),
  pageMs: measured(29, "ms", "a page of the queue, all of it taken as processor time", performance, "29 ms"),
  releaseMs: measured(97, "ms", "a release, all of it taken as processor time", performance, "97 ms"),
  submissionsPerSecond: measured(
    83,
    "a second on 2 processors",
    "submissions, with the payers on the same processors",
    performance,
    "83 a second",
  ),
  tableKb: measured(18.4, "KB a case", "tables and indexes", performance, "18.4 KB"),
  walKb: measured(26.4, "KB a case", "write-ahead log", performance, "26.4 KB"),
  releaseTxMs: measured(
    28,
    "ms",
    "the transaction of a release, which holds its practice's audit chain",
    performance,
    "28 busy",
  ),
  logBytes: measured(274, "bytes", "a log line of a call", "docs/operations/capacity.md", "274 bytes"),
  webConnections: measured(29, "a process", "connections of a server", ".env.example", "a server holds 29 at most"),
  workerConnections: measured(21, "a process", "connections of a worker", ".env.example", "A worker holds 21"),
  processorsOfProcess: assumed(1.5, "", "processors that one server process keeps busy: JavaScript and its helpers"),
  restoreMbS: assumed(300, "MB/s", "how fast a base backup comes back"),
  restoreHours: assumed(4, "hours", "how long a cluster may take to come back"),
} as const satisfies Readonly<Record<string, Input>>;

export type InputName = keyof typeof inputs;
