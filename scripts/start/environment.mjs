import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson, root, writePrivateJson } from "../setup/files.mjs";
import { databaseUrlProblem } from "../../lib/platform/process/database-url.ts";
import { unsafeSettings } from "../../lib/platform/process/unsafe-settings.ts";
import { trouble } from "../processes/report.mjs";

const makers = {
  superuserPassword: () => randomBytes(24).toString("base64url"),
  ownerPassword: () => randomBytes(24).toString("base64url"),
  appPassword: () => randomBytes(24).toString("base64url"),
  sealingKey: () => randomBytes(32).toString("base64"),
  nextAuthSecret: () => randomBytes(32).toString("base64url"),
  receiptSigningKey: () => randomBytes(32).toString("base64"),
  auditSigningKey: () => randomBytes(32).toString("base64"),
  channelKeyPepper: () => randomBytes(32).toString("base64"),
};

/** Adds what the file `.env` sets to the environment; what is set already, wins. */
export function readDotEnv() {
  const file = join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/** What one start works with, from the environment; anything wrong in it is refused here. */
export function readSettings(folder, environment = process.env) {
  const port = Number(environment.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw trouble(`PORT is ${environment.PORT}: set it to a number from 1 to 65535.`);
  const databaseUrl = environment.DATABASE_URL || undefined;
  const settings = {
    folder,
    port,
    host: environment.HOST || "127.0.0.1",
    publicUrl: (environment.PUBLIC_URL || `http://localhost:${port}`).replace(/\/$/, ""),
    databaseUrl,
    appDatabaseUrl: environment.APP_DATABASE_URL || undefined,
    drainDelayS: Number(environment.DRAIN_DELAY_S || 0),
    sendDeadlineMs: Number(environment.SEND_DEADLINE_MS || 60_000),
  };
  refuseUnsafe(settings, environment);
  if (databaseUrl !== undefined) refuseIncomplete(settings, environment);
  return settings;
}

/** Before anything is opened; each process asks the same of what it was given. */
function refuseUnsafe({ host, publicUrl, databaseUrl, appDatabaseUrl }, environment) {
  const unsafe = unsafeSettings({
    HOST: host,
    PUBLIC_URL: publicUrl,
    DEMO: databaseUrl === undefined ? "1" : undefined,
    DATABASE_URL: databaseUrl,
    APP_DATABASE_URL: appDatabaseUrl,
    NEXTAUTH_SECRET: environment.NEXTAUTH_SECRET || undefined,
  });
  if (unsafe.length > 0) throw trouble(unsafe.map(({ name, problem }) => `${name} ${problem}.`).join("\n"));
}

function refuseIncomplete({ databaseUrl, appDatabaseUrl }, environment) {
  const required = ["SEALING_KEY", "NEXTAUTH_SECRET", "RECEIPT_SIGNING_KEY", "CHANNEL_KEY_PEPPER"];
  const missing = required.filter(
    (name) => !environment[name] && !(name === "SEALING_KEY" && environment.SEALING_KEY_FILE),
  );
  if (missing.length > 0)
    throw trouble(
      `With DATABASE_URL set, ${new Intl.ListFormat("en").format(missing)} must be set too: make each once with \`openssl rand -base64 32\` and keep it as safe as the database.`,
    );
  for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, APP_DATABASE_URL: appDatabaseUrl })) {
    const problem = url === undefined ? undefined : databaseUrlProblem(url);
    if (problem !== undefined) throw trouble(`${name} ${problem}.`);
  }
}

/** The secrets of a service on a database of its operator's own. */
export function readGivenSecrets(
  { SEALING_KEY, NEXTAUTH_SECRET, RECEIPT_SIGNING_KEY, CHANNEL_KEY_PEPPER } = process.env,
) {
  return {
    sealingKey: SEALING_KEY,
    nextAuthSecret: NEXTAUTH_SECRET,
    receiptSigningKey: RECEIPT_SIGNING_KEY,
    channelKeyPepper: CHANNEL_KEY_PEPPER,
  };
}

/** The demo's secrets, made once and kept in `secrets.json` for its owner's eyes only. */
export function readSecrets(folder) {
  const path = join(folder, "secrets.json");
  if (!existsSync(path) && existsSync(join(folder, "postgres")))
    throw trouble(
      `${path} is gone, and with it the passwords of the database beside it: put it back, or delete ${folder} to begin afresh.`,
    );
  const known = readJson(path, {});
  const made = Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, known[name] ?? make()]));
  if (Object.keys(makers).some((name) => known[name] === undefined)) writePrivateJson(path, { ...known, ...made });
  return made;
}

/**
 * What our processes are given, each the part `process-settings.mjs` says. The owner of the tables is not in it: only
 * migrations and the demo's making are.
 */
export function childEnvironment({ settings, secrets, appUrl, simulatorPort, mode }) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const { folder, port, host, publicUrl } = settings;
  return {
    ...(process.env.SEALING_KEY_FILE ? {} : { SEALING_KEY: secrets.sealingKey }),
    NEXTAUTH_SECRET: secrets.nextAuthSecret,
    RECEIPT_SIGNING_KEY: secrets.receiptSigningKey,
    // On a database of its own only: elsewhere a folder beside the service would be no better kept than the database.
    ...(settings.databaseUrl === undefined && secrets.auditSigningKey !== undefined
      ? { AUDIT_SIGNING_KEY: secrets.auditSigningKey, AUDIT_HEADS_DIR: join(folder, "audit-heads") }
      : {}),
    CHANNEL_KEY_PEPPER: secrets.channelKeyPepper,
    SUBMISSION_LEDGER_DIR: join(folder, "submission-ledger"),
    NEXTAUTH_URL: publicUrl,
    ...inherited,
    NODE_ENV: mode,
    NEXT_TELEMETRY_DISABLED: "1",
    DATA_DIR: folder,
    PORT: String(port),
    HOST: host,
    PUBLIC_URL: publicUrl,
    APP_DATABASE_URL: appUrl,
    ...(simulatorPort === undefined
      ? {}
      : {
          DEMO: "1",
          SIMULATOR_PORT: String(simulatorPort),
          SIMULATOR_URL: `http://127.0.0.1:${simulatorPort}`,
          SANDBOX_PAYERS: `http://127.0.0.1:${simulatorPort}`,
          // The demo's payer is on this machine.
          OUTBOUND_PRIVATE_NETWORKS: process.env.OUTBOUND_PRIVATE_NETWORKS ?? "127.0.0.0/8,::1/128",
        }),
  };
}
