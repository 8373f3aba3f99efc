import { once } from "node:events";
import type { Job, Measurement, Outcome, Subject } from "./job.ts";
import type { Processes } from "./processes.ts";

type Load = Omit<Job, "kind" | "count" | "warmMs" | "measureMs">;

/** The load generator's process: one for all servers, so that each is met by the same. */
export type Generator = {
  readonly fill: (load: Load & { readonly count: number }) => Promise<readonly Subject[]>;
  readonly measure: (load: Load & { readonly warmMs: number; readonly measureMs: number }) => Promise<Measurement>;
};

export async function openGenerator(processes: Processes): Promise<Generator> {
  const child = await processes.begin({ name: "load", entry: "bench/load.ts", env: process.env });
  const ended = new AbortController();
  child.once("exit", () => ended.abort(new Error("The load generator ended.")));
  const run = async (job: Job): Promise<Outcome> => {
    const answered = once(child, "message", { signal: ended.signal });
    child.send(job);
    // Safe because bench/load.ts answers each job with its outcome.
    const [outcome] = (await answered) as [Outcome];
    if ("failed" in outcome) throw new Error(outcome.failed);
    return outcome;
  };
  return {
    fill: async (load) => {
      const outcome = await run({ ...load, kind: "fill" });
      return "filled" in outcome ? outcome.filled : [];
    },
    measure: async (load) => {
      const outcome = await run({ ...load, kind: "measure" });
      if (!("measured" in outcome)) throw new Error("The generator answered another question.");
      return outcome.measured;
    },
  };
}
