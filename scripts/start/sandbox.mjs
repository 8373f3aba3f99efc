import { join, resolve } from "node:path";
import { readDotEnv } from "./environment.mjs";
import { readJson, root } from "../setup/files.mjs";
import { fail, trouble } from "../processes/report.mjs";

try {
  await printSandbox();
} catch (error) {
  fail(error);
}

/** What an agent's own tests need of the demo's sandbox, to be pasted into a shell: standard output is those lines alone. */
async function printSandbox() {
  readDotEnv();
  const { baseUrl, sandbox } = readJson(join(resolve(root, process.env.DATA_DIR || ".data"), "demo.json"), {});
  if (sandbox === undefined)
    throw trouble("There is no sandbox here: start the service with demo data first (npm start), or set its DATA_DIR.");
  process.stdout.write(`export PA_URL=${baseUrl}\nexport PA_KEY=${sandbox.channelKey}\n`);
  const isRunning = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  const state = isRunning ? "The service answers." : "Nothing answers there yet: npm start.";
  process.stderr.write(`
${state} In the practice ${sandbox.practiceId}, requests to the payers HLHP1 and MGHN4 are released automatically.
The end of the member id chooses the answer: ${baseUrl}/developers/testing
`);
}
