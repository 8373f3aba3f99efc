import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const everywhere = ["agent", "app", "components", "lib", "scripts", "simulator", "bench", "test"].map(
  (folder) => `${folder}/**/*.test.{ts,tsx}`,
);
const withDatabase = ["**/*.store.test.ts"];
const never = ["**/node_modules/**", "lib/db/generated/**"];

/** The payers of tests listen on this machine. */
const env = { OUTBOUND_PRIVATE_NETWORKS: "127.0.0.0/8,::1/128" };

/** `pure` needs nothing but Node and stays fast; `store` (`*.store.test.ts`) has a real Postgres, one clone for each worker. */
export default defineConfig({
  test: {
    pool: "forks",

    // Long, because a machine that does other work beside them must fail none.
    testTimeout: 30_000,
    maxWorkers: availableParallelism(),
    projects: [
      { test: { name: "pure", env, include: everywhere, exclude: [...never, ...withDatabase] } },
      {
        test: {
          name: "store",
          env,
          include: withDatabase,
          exclude: never,
          globalSetup: "./test/support/database/cluster.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
