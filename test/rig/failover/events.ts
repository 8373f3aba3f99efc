import { setTimeout } from "node:timers/promises";
import type { PatroniCluster } from "./cluster.ts";

/** What an event is given to act on. */
export type Rig = {
  readonly cluster: PatroniCluster;
  /** Asks a process to drain and end, and starts it again. */
  readonly restart: (name: string) => Promise<void>;
};

export type Event = {
  readonly key: string;
  readonly name: string;
  readonly isSynchronous: boolean;
  /** Before the clock starts. */
  readonly before?: (rig: Rig) => Promise<void>;
  readonly happen: (rig: Rig) => Promise<void>;
  readonly after?: (rig: Rig) => Promise<void>;
};

let killed = "";
const killNode = async ({ cluster }: Rig) => {
  killed = await cluster.leader();
  await cluster.killNode(killed);
};
const bringBack = ({ cluster }: Rig) => {
  cluster.delayReplication(0);
  cluster.begin(killed);
  return Promise.resolve();
};

/** How long what is replicated is on its way where a standby is to be behind, and for how long before the event. */
const [lagMs, laggingMs] = [1_500, 4_000];

export const events: readonly Event[] = [
  {
    key: "node",
    name: "`kill -9` of the primary's node, synchronous",
    isSynchronous: true,
    happen: killNode,
    after: bringBack,
  },
  {
    key: "lag",
    name: "the same, asynchronous, standbys 1.5 s behind",
    isSynchronous: false,
    before: async ({ cluster }) => {
      cluster.delayReplication(lagMs);
      await setTimeout(laggingMs);
    },
    happen: killNode,
    after: bringBack,
  },
  {
    key: "postgres",
    name: "`kill -9` of Postgres alone, synchronous",
    isSynchronous: true,
    happen: async ({ cluster }) => cluster.killPostgres(await cluster.leader()),
  },
  {
    key: "switchover",
    name: "switchover, synchronous",
    isSynchronous: true,
    happen: ({ cluster }) => cluster.switchOver(),
  },
  {
    key: "restart",
    name: "rolling restart of servers and workers",
    isSynchronous: true,
    happen: async ({ restart }) => {
      for (const name of ["web-1", "web-2", "worker-1", "worker-2"]) await restart(name);
    },
  },
];
