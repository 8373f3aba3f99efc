import type { Processes } from "../processes.ts";
import type { Errand, FromAgents, ToAgents, Told } from "./errand.ts";

/** The agents at work: what they were told until now, once they stop. */
export type Agents = {
  /** Resolves once every task has been asked for. */
  readonly begin: (errand: Errand) => Promise<void>;
  /** Resolves with the last delivery that the errand expects. */
  readonly allCame: () => Promise<void>;
  readonly stop: () => Promise<Told>;
  /** Rejects where a reply or a delivery was wrong. */
  readonly failed: Promise<never>;
};

export async function openAgents(processes: Processes): Promise<Agents> {
  const child = await processes.begin({ name: "agents", entry: "bench/waiting/agents.ts", env: process.env });
  const failure = Promise.withResolvers<never>();
  // Whoever waits for the agents hears of it; without anybody it ends nothing.
  failure.promise.catch(() => undefined);
  let underWay = Promise.withResolvers<void>();
  let allCame = Promise.withResolvers<void>();
  let told = Promise.withResolvers<Told>();
  child.on("message", (said: FromAgents) => {
    if (said === "under way") underWay.resolve();
    else if (said === "all came") allCame.resolve();
    else if (said !== "ready" && "told" in said) told.resolve(said.told);
    else if (said !== "ready") failure.reject(new Error(said.failed));
  });
  child.once("exit", () => failure.reject(new Error("The agents' process ended.")));
  const tell = (what: ToAgents) => child.send(what);
  return {
    failed: failure.promise,
    begin: async (errand) => {
      underWay = Promise.withResolvers<void>();
      allCame = Promise.withResolvers<void>();
      told = Promise.withResolvers<Told>();
      tell(errand);
      await Promise.race([underWay.promise, failure.promise]);
    },
    allCame: () => Promise.race([allCame.promise, failure.promise]),
    stop: async () => {
      tell("stop");
      return Promise.race([told.promise, failure.promise]);
    },
  };
}
