import { type InputName, inputs } from "./inputs.ts";

export type Inputs = Readonly<Record<InputName, number>>;

export type Capacity = {
  readonly meanPerSecond: number;
  readonly peakPerSecond: number;
  readonly processorMsPerCase: number;
  readonly processors: number;
  readonly webProcesses: number;
  readonly workerProcesses: number;
  readonly connections: number;
  readonly tablesTbYear: number;
  readonly tablesTbKept: number;
  readonly walGbDay: number;
  readonly walMbSecondAtPeak: number;
  readonly logGbDay: number;
  /** Releases that one practice can make in a second, because they follow each other in its audit chain. */
  readonly releasesPerSecondOfPractice: number;
  readonly releasesPerSecondOfMeanPractice: number;
  readonly clusterTbMost: number;
  /** Clusters that the kept data needs, each of which is a cell. */
  readonly cells: number;
};

/** The inputs as they are, with others in their place. */
export function given(others: Partial<Inputs> = {}): Inputs {
  // Safe because every input has a value.
  return {
    ...Object.fromEntries(Object.entries(inputs).map(([name, { value }]) => [name, value])),
    ...others,
  } as Inputs;
}

/** On how many processors a rate was measured. */
const measuredOn = 2;

/** What a year of cases takes. Everything grows in proportion but what is said otherwise. */
export function capacityFor(of: Inputs): Capacity {
  const meanPerSecond = of.cases / (of.busyHours * 3_600);
  const peakPerSecond = meanPerSecond * of.peak;
  const msOf = (perSecond: number) => (measuredOn * 1_000) / perSecond;
  const webMs = msOf(of.intakesPerSecond) + of.polls * msOf(of.pollsPerSecond) + of.pages * of.pageMs + of.releaseMs;
  const workerMs = msOf(of.submissionsPerSecond);
  const needed = (ms: number) => (peakPerSecond * ms) / 1_000 / of.use;
  const processes = (ms: number) => Math.max(2, Math.ceil(needed(ms) / of.processorsOfProcess));
  const [webProcesses, workerProcesses] = [processes(webMs), processes(workerMs)];
  const tablesTbYear = (of.cases * of.tableKb) / 1e9;
  const clusterTbMost = (of.restoreMbS * of.restoreHours * 3_600) / 1e6;
  return {
    ...{ meanPerSecond, peakPerSecond, webProcesses, workerProcesses, tablesTbYear, clusterTbMost },
    processorMsPerCase: webMs + workerMs,
    processors: Math.ceil(needed(webMs + workerMs)),
    connections: webProcesses * of.webConnections + workerProcesses * of.workerConnections,
    tablesTbKept: tablesTbYear * of.retention,
    walGbDay: (of.cases * of.walKb) / 365 / 1e6,
    walMbSecondAtPeak: (peakPerSecond * of.walKb) / 1e3,
    logGbDay: (of.cases * (of.polls + of.pages + 3) * of.logBytes) / 365 / 1e9,
    releasesPerSecondOfPractice: 1_000 / of.releaseTxMs,
    releasesPerSecondOfMeanPractice: peakPerSecond / of.practices,
    cells: Math.max(1, Math.ceil((tablesTbYear * of.retention) / clusterTbMost)),
  };
}
