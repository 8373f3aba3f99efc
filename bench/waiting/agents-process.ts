import type { Processes } from "../processes.ts";
import type { Errand, FromAgents, ToAgents, Tally } from "./errand.ts";

/** The agents at work: what they were tally until now, once they stop. */
export type Agents = {
  /** Resolves once every task has been asked for. */
  readonly begin: (errand: Errand) => Promise<void>;
  /** Resolves with the last delivery that the errand expects. */
  readonly allCame: () => Promise<void>;
  readonly stop: () => Promise<Tally>;
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
  let tally = Promise.withResolvers<Tally>();
  child.on("message", (message: FromAgents) => {
    if (message === "under way") underWay.resolve();
    else if (message === "all came") allCame.resolve();
    else if (message !== "ready" && "tally" in message) tally.resolve(message.tally);
    else if (message !== "ready") failure.reject(new Error(message.failed));
  });
  child.once("exit", () => failure.reject(new Error("The agents' process ended.")));
  const tell = (what: ToAgents) => child.send(what);
  return {
    failed: failure.promise,
    begin: async (errand) => {
      underWay = Promise.withResolvers<void>();
      allCame = Promise.withResolvers<void>();
      tally = Promise.withResolvers<Tally>();
      tell(errand);
      await Promise.race([underWay.promise, failure.promise]);
    },
    allCame: () => Promise.race([allCame.promise, failure.promise]),
    stop: async () => {
      tell("stop");
      return Promise.race([tally.promise, failure.promise]);
    },
  };
}
