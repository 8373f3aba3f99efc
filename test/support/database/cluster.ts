import { ensureGenerated } from "../../../scripts/setup/generate.mjs";
import { openTestCluster } from "../../../scripts/checks/test-cluster.mjs";

/** Vitest's and Playwright's global setup: opens the test cluster, unless the test command that started us already has. */
export default async function openCluster(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_CLUSTER !== undefined) return undefined;
  await ensureGenerated();
  const { close, outcome: _, ...described } = await openTestCluster();
  process.env.TEST_CLUSTER = JSON.stringify(described);
  return close;
}
