import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { ownDatabaseUrls } from "../database/database.mjs";
import { childEnvironment, readDotEnv, readGivenSecrets, readSecrets, readSettings } from "./environment.mjs";
import { readJson, root } from "../setup/files.mjs";
import { ensureBuilt } from "../setup/build.mjs";
import { ensureGenerated } from "../setup/generate.mjs";
import { continueUnder } from "../setup/install.mjs";
import { refuseOldDatabase } from "../database/migrate.ts";
import { portState } from "../processes/ports.mjs";
import { refuseTakenPort } from "./taken-port.mjs";
import { environmentOf } from "./process-settings.mjs";
import { plainNextArgs, plainNextEnvironment } from "./plain-next.mjs";
import { trouble } from "../processes/report.mjs";
import { deriveAppUrl } from "../database/roles.ts";
import { startAnewIn, startAnewOnGiven } from "../database/start-anew.mjs";

/** `npm start` has 3000. */
const plainNextPort = 3001;

/**
 * Serves the pages by plain `next start`, on a port of its own, with what the running service was given. The build is the
 * same one; it is made only if there is none yet.
 */
export async function runPlainNext() {
  readDotEnv();
  process.env.PORT ||= String(plainNextPort);
  await ensureGenerated();
  await ensureBuilt();
  const env = await environmentNow();
  await refuseTakenPort({ port: Number(env.PORT), host: env.HOST });
  const args = plainNextArgs({ port: env.PORT, host: env.HOST });
  return await continueUnder(process.execPath, { args, env: plainNextEnvironment(env) });
}

const byEntry = { "lib/worker/main.ts": "worker", "lib/cli/main.ts": "operator" };

/** Runs one of our programs, such as the operator's command line, with what the running service was given. */
export async function runBeside([entry, ...args]) {
  readDotEnv();
  await ensureGenerated();
  const env = needsNothing(entry, args) ? process.env : environmentOf(byEntry[entry], await environmentNow());
  return await continueUnder(process.execPath, { args: [entry, ...args], env });
}

/** The command line gives help where nothing runs, and verifies a receipt by nothing but the file and the key it is given. */
function needsNothing(entry, args) {
  if (entry !== "lib/cli/main.ts") return false;
  const asksHelp = args.length === 0 || args[0] === "help" || args.includes("--help") || args.includes("-h");
  return asksHelp || (args[0] === "receipt" && args[1] === "verify");
}

async function environmentNow() {
  const folder = resolve(root, process.env.DATA_DIR || ".data");
  const settings = readSettings(existsSync(folder) ? realpathSync(folder) : folder);
  const mode = "production";
  if (settings.databaseUrl !== undefined || settings.appDatabaseUrl !== undefined) {
    if (settings.databaseUrl !== undefined)
      await refuseOldDatabase({
        ownerUrl: settings.databaseUrl,
        startAnew: startAnewOnGiven(settings.databaseUrl, settings.folder),
      });
    const secrets = readGivenSecrets();
    return childEnvironment({
      settings,
      secrets,
      appUrl: settings.appDatabaseUrl ?? deriveAppUrl(settings.databaseUrl, secrets.nextAuthSecret),
      mode,
    });
  }
  const { postgres, simulator } = readJson(join(folder, "ports.json"), {});
  if (postgres === undefined || (await portState(postgres)) === "free")
    throw trouble(`Nothing runs on ${folder}: start it with npm start, or set DATABASE_URL, then run this again.`);
  const secrets = readSecrets(settings.folder);
  const { ownerUrl, appUrl } = ownDatabaseUrls(postgres, secrets);
  await refuseOldDatabase({ ownerUrl, startAnew: startAnewIn(settings.folder) });
  return childEnvironment({
    settings,
    secrets,
    appUrl,
    simulatorPort: simulator,
    mode,
  });
}
