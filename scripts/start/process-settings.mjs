/** What every process may know of the machine it runs on; none of it is ours. */
const ofTheMachine =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|HOSTNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|NODE_\w+|SSL_CERT_(FILE|DIR)|UV_\w+|V8_\w+)$/;

const everywhere = ["LOG_LEVEL", "LOG_COLLECTOR", "DATA_DIR"];

const measured = ["METRICS_PORT", "METRICS_HOST", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"];

const withDatabase = [
  ...["APP_DATABASE_URL", "DATABASE_POOLER", "DATABASE_CONNECTIONS_MAX", "SEALING_KEY", "SEALING_KEY_FILE"],
  ...["PUBLIC_URL", "OUTBOUND_PRIVATE_NETWORKS", "SMTP_URL", "MAIL_FROM", "SECOND_FACTOR", "DEMO"],
  ...["AUDIT_PAST_KEYS", "AUDIT_HEADS_EVERY_S", "RECEIPT_PAST_KEYS", "SEND_DEADLINE_MS", "SUBMISSIONS", "SENDING"],
  ...["CHANNEL_OWNERS_FROM", "SANDBOX_PAYERS", "REPLICATION", "COMPRESSION"],
  ...["ARCHIVE_ENDPOINT", "ARCHIVE_BUCKET", "ARCHIVE_REGION", "ARCHIVE_ACCESS_KEY_ID", "ARCHIVE_SECRET_ACCESS_KEY"],
  "ARCHIVE_PREFIX",
];

const signOn = [
  ...[
    "OIDC_ISSUER",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_SCOPE",
    "OIDC_GROUPS_CLAIM",
    "OIDC_MFA",
    "OIDC_LABEL",
  ],
];

const worker = [
  ...withDatabase,
  ...[
    "AUDIT_SIGNING_KEY",
    "AUDIT_HEADS_DIR",
    "SUBMISSION_LEDGER_DIR",
    ...measured,
    "WORKER_CONCURRENCY",
    "ARCHIVE_AFTER_DAYS",
    "ARCHIVE_BYTES_MIN",
    "CRASH_POINT",
    "CRASH_SIGNAL",
  ],
];

/** What makes and shows decisions, keys of channels and accounts. */
const desk = [...withDatabase, ...signOn, "CHANNEL_KEY_PEPPER", "RECEIPT_SIGNING_KEY", "BREACHED_PASSWORDS_FILE"];

const simulator = [
  ...["SIMULATOR_PORT", "SIMULATOR_HOST", "SIMULATOR_TOKEN", "SIMULATOR_AUTH", "SIMULATOR_CLIENTS"],
  ...["SIMULATOR_TOKEN_SECONDS", "SIMULATOR_DATA"],
];

/**
 * The settings each of our processes is given, so that whoever takes one over has no more than that one needs: what sends
 * to payers decides nothing and knows no channel's key and no session; what serves the pages signs no heads of the record,
 * so whoever takes it over cannot make the record anew under them; the simulator knows nothing of the service. Operators
 * make no sessions; the demo's making alone knows the owner of the tables.
 */
const settingsOf = {
  server: [
    ...desk,
    "LISTEN_DATABASE_URL",
    "HOST",
    "PORT",
    "NEXTAUTH_URL",
    "NEXTAUTH_SECRET",
    "TRUSTED_PROXIES",
    "CHANNEL_BYTES_PER_DAY",
    "PAGES_PER_SECOND",
    "DRAIN_DELAY_S",
    "LOG_READS_ONE_IN",
    ...measured,
    "NEXT_TELEMETRY_DISABLED",
  ],
  worker,
  simulator,
  operator: [...desk, ...worker],
  demo: [...desk, "DATABASE_URL", "SIMULATOR_URL", "SIMULATOR_TOKEN"],
};

/**
 * What the process of this name is given of an environment.
 *
 * @param {keyof typeof settingsOf} name
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentOf(name, env) {
  const known = new Set([...everywhere, ...settingsOf[name]]);
  return Object.fromEntries(Object.entries(env).filter(([key]) => known.has(key) || ofTheMachine.test(key)));
}
