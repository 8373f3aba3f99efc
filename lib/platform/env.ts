import { z } from "zod";
import { publicKeyText } from "#lib/platform/signing-keys";
import { databaseUrlProblem } from "./process/database-url.ts";
import { parseKeyRing } from "./key-ring.ts";
import { readNetworks, type Networks } from "./outbound/networks.ts";
import { crashPoints } from "./process/crash-point.ts";
import { unsafeSettings } from "./process/unsafe-settings.ts";

const base64Key = z
  .string()
  .refine((text) => Buffer.from(text, "base64").length === 32, "must be 32 bytes in base64: `openssl rand -base64 32`");

const pastKeys = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((key) => (key.trim() === "" ? [] : [key.trim()])))
  .pipe(z.array(publicKeyText));

/** Networks in CIDR that the service may connect to beyond the public internet, such as a payer behind a VPN. */
const networks = z
  .string()
  .default("")
  .transform((text) => readNetworks(text))
  .refine((list) => list !== undefined, "must be networks in CIDR separated by commas, such as 10.20.0.0/16");

/**
 * Origins of payers to which a practice of test data may have its requests released without a person. Only those of this
 * machine: whatever else is configured, nothing that no person released is ever sent to another.
 */
const sandboxOrigins = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((origin) => (origin.trim() === "" ? [] : [origin.trim()])))
  .refine(
    (origins) => origins.every(isOriginOfThisMachine),
    "must be origins of this machine, such as http://127.0.0.1:4010",
  );

function isOriginOfThisMachine(text: string): boolean {
  const url = URL.parse(text);
  return url?.origin === text && url.protocol === "http:" && /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

const wordList = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()])));

/** Requires TLS, except for a provider on this machine, as in tests. */
const issuerUrl = z.url().refine((text) => {
  const { protocol, hostname, search, hash } = new URL(text);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return (protocol === "https:" || (protocol === "http:" && isHere)) && search === "" && hash === "";
}, "must be an https address without a query, exactly as the provider names itself");

const logCollector = z
  .url({ protocol: /^tls$/ })
  .refine(
    (text) => /^tls:\/\/[^/?#@]+:\d+$/.test(text),
    "must be a host with its port and nothing else, such as tls://logs.example.org:6514",
  )
  .optional();

const databaseUrl = z.string().superRefine((text, ctx) => {
  const problem = databaseUrlProblem(text);
  if (problem !== undefined) ctx.addIssue({ code: "custom", message: problem });
});

/** Requires TLS, except on this machine, as in tests. */
const archiveUrl = z.url().refine((text) => {
  const { protocol, hostname, pathname, search, hash, username } = new URL(text);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const isAddress = pathname === "/" && search === "" && hash === "" && username === "";
  return isAddress && (protocol === "https:" || (protocol === "http:" && isHere));
}, "must be an https address and nothing more, such as https://s3.us-east-2.amazonaws.com");

const breachedFile = z.string().min(1).optional();

const schema = z
  .object({
    OUTBOUND_PRIVATE_NETWORKS: networks,
    /** Proxies in front of this service whose X-Forwarded-For is trusted. */
    TRUSTED_PROXIES: networks,
    /** How many bytes a day one channel may store through each server process. */
    CHANNEL_BYTES_PER_DAY: z.coerce
      .number()
      .int()
      .min(64 * 1024 * 1024)
      .default(16 * 1024 ** 3),
    APP_DATABASE_URL: databaseUrl,
    /** Set where APP_DATABASE_URL leads to a pooler that lends a connection for one transaction. */
    DATABASE_POOLER: z.literal("transaction").optional(),
    /** Where the server listens for changes: Postgres itself, because such a pooler drops LISTEN. */
    LISTEN_DATABASE_URL: databaseUrl.optional(),
    /** How many submissions and inquiries a worker has in hand at most; three quarters of them at one payer host. */
    WORKER_CONCURRENCY: z.coerce.number().int().min(4).max(1_000).default(128),
    /** How documents are compressed before they are sealed; where it is not set, the database says so. */
    COMPRESSION: z.enum(["dictionary", "documents"]).optional(),
    DATABASE_CONNECTIONS_MAX: z.coerce.number().int().min(2).max(200).default(20),
    /** The keys that wrap the practices' keys, the current one first; or a file with them, which takes precedence. */
    SEALING_KEY: z
      .string()
      .refine(
        (text) => parseKeyRing(text) !== undefined,
        "must be 32 bytes in base64, `openssl rand -base64 32`, or several such separated by commas",
      )
      .optional(),
    SEALING_KEY_FILE: z.string().min(1).optional(),
    /** Signs the receipts of decisions; only the web server needs it. */
    RECEIPT_SIGNING_KEY: base64Key.optional(),
    /** The public keys of earlier receipts, which are still published. */
    RECEIPT_PAST_KEYS: pastKeys,
    /** Signs the heads of the audit log; only the worker needs it, and only if there is a folder for them. */
    AUDIT_SIGNING_KEY: base64Key.optional(),
    /** The public keys of earlier heads. */
    AUDIT_PAST_KEYS: pastKeys,
    /** The folder for signed heads, out of reach of the database's owner; without it, none are written. */
    AUDIT_HEADS_DIR: z.string().min(1).optional(),
    /** The folder of the worker's submission ledger, outside the database and its backups; only the worker needs it. */
    SUBMISSION_LEDGER_DIR: z.string().min(1).optional(),
    SANDBOX_PAYERS: sandboxOrigins,
    /** Set to stop submissions, inquiries and mail. */
    SUBMISSIONS: z.literal("off").optional(),
    /** The earlier name of SUBMISSIONS, refused because a worker that passed over it would submit. */
    SENDING: z.undefined("is now SUBMISSIONS").optional(),
    /** Whether what is acknowledged has to be on two machines: else nothing is accepted or submitted, or somebody is told. */
    REPLICATION: z.enum(["required", "warn", "off"]).default("off"),
    AUDIT_HEADS_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(300),
    /** Hashes the secrets of channel keys; the worker does not need it. */
    CHANNEL_KEY_PEPPER: base64Key.optional(),
    /** Encrypts session cookies; only the web server needs it. */
    NEXTAUTH_SECRET: z.string().optional(),
    HOST: z.string().default("127.0.0.1"),
    PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
    NEXTAUTH_URL: z.url().optional(),
    PUBLIC_URL: z
      .url()
      .default("http://localhost:3000")
      // Links are made of it and a path, which begins with a slash itself.
      .transform((url) => url.replace(/\/+$/, "")),
    /** The OpenID Connect provider for sign-in; its capabilities are discovered from its address. */
    OIDC_ISSUER: issuerUrl.optional(),
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    /** The requested scopes, separated by spaces; some providers return groups only for a scope of their own. */
    OIDC_SCOPE: z
      .string()
      .regex(/^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/, "must begin with openid, with single spaces between")
      .default("openid"),
    /** The member of the id token that lists a person's groups. */
    OIDC_GROUPS_CLAIM: z.string().min(1).default("groups"),
    /** Values of `acr` or `amr`, separated by commas, each of which means that a second factor was used. */
    OIDC_MFA: wordList,
    /** The name of the provider on our pages. */
    OIDC_LABEL: z.string().trim().min(1).max(40).default("single sign-on"),
    /** Set when only demo data is served; every page says so. */
    DEMO: z.literal("1").optional(),
    /** The folder of the demo, whose accounts its sign-in page shows; read in demo mode alone. */
    DATA_DIR: z.string().min(1).optional(),
    /** The longest that one submission may take, answer included; less than the worker's lease of 90 s. */
    SEND_DEADLINE_MS: z.coerce.number().int().min(100).max(60_000).default(60_000),
    /** The mail server, `smtp://user:password@host:587` or `smtps://`; without it, no mail is sent. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*[^\s@]+@[^\s@]+$/, "must be an address")
      .optional(),
    /** The S3 interface of the archive that values of closed cases go to; without it there is none. */
    ARCHIVE_ENDPOINT: archiveUrl.optional(),
    ARCHIVE_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
      .optional(),
    ARCHIVE_REGION: z.string().min(1).default("us-east-1"),
    ARCHIVE_ACCESS_KEY_ID: z.string().min(1).optional(),
    ARCHIVE_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    /** What the names of our objects begin with, where others share the bucket. */
    ARCHIVE_PREFIX: z
      .string()
      .regex(/^([a-zA-Z0-9_-]+\/)*$/, "must be names that each end with a slash, such as prior-auth/")
      .default(""),
    /** How many days after its last change a closed case goes there; where it is not set, none goes. Only the worker needs it. */
    ARCHIVE_AFTER_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
    /** Sealed values shorter than this stay in the database. */
    ARCHIVE_BYTES_MIN: z.coerce.number().int().min(64).max(1_000_000).default(512),
    /** From this day on, in UTC, requests of a channel without an owner cannot be released. */
    CHANNEL_OWNERS_FROM: z.iso
      .date()
      .default("2027-02-01")
      .transform((day) => new Date(day)),
    /** Set to require a second factor of admins and auditors. */
    SECOND_FACTOR: z.literal("required").optional(),
    /** A file of breached passwords, which are refused: SHA-1 in hex, one per line, sorted. */
    BREACHED_PASSWORDS_FILE: breachedFile,
    /** A second destination of log lines: syslog over TLS, `tls://host:6514`. */
    LOG_COLLECTOR: logCollector,
    /** How many pages, forms and files a second one person may request; without a session, one network. */
    PAGES_PER_SECOND: z.coerce.number().int().min(1).max(10_000).default(10),
    /** How long a server that is to end still serves after its readiness says 503, so that balancers have seen it. */
    DRAIN_DELAY_S: z.coerce.number().min(0).max(60).default(0),
    /** Of successful polls, one of so many is logged. */
    LOG_READS_ONE_IN: z.coerce.number().int().min(1).max(1_000_000).default(1),
    /** Where this process shows what it measures; without a port, nowhere. */
    METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
    METRICS_HOST: z.string().default("127.0.0.1"),
    /** Where traces go by OTLP over HTTP; without it there are none. */
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    /** Read by the SDK itself. */
    OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
    /** The point at which a test kills or stops the worker. */
    CRASH_POINT: z.enum(crashPoints).optional(),
    CRASH_SIGNAL: z.enum(["SIGKILL", "SIGSTOP"]).default("SIGKILL"),
  })
  .refine(({ CRASH_POINT, NODE_ENV }) => CRASH_POINT === undefined || NODE_ENV !== "production", {
    path: ["CRASH_POINT"],
    message: "is for tests only and must not be set in production",
  })
  .refine(
    ({ DATABASE_POOLER, LISTEN_DATABASE_URL, NEXTAUTH_SECRET }) =>
      DATABASE_POOLER === undefined || LISTEN_DATABASE_URL !== undefined || NEXTAUTH_SECRET === undefined,
    { path: ["LISTEN_DATABASE_URL"], message: "must be set where DATABASE_POOLER is, and lead to Postgres itself" },
  )
  .refine(({ SEALING_KEY, SEALING_KEY_FILE }) => SEALING_KEY !== undefined || SEALING_KEY_FILE !== undefined, {
    path: ["SEALING_KEY"],
    message: "must be set, or SEALING_KEY_FILE",
  })
  .refine(({ OIDC_ISSUER, OIDC_CLIENT_ID }) => OIDC_ISSUER === undefined || OIDC_CLIENT_ID !== undefined, {
    path: ["OIDC_CLIENT_ID"],
    message: "must be set where OIDC_ISSUER is",
  })
  .refine(({ OIDC_ISSUER, OIDC_CLIENT_SECRET }) => OIDC_ISSUER === undefined || OIDC_CLIENT_SECRET !== undefined, {
    path: ["OIDC_CLIENT_SECRET"],
    message: "must be set where OIDC_ISSUER is",
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined, {
    path: ["MAIL_FROM"],
    message: "must be set where SMTP_URL is",
  })
  .refine(
    ({ AUDIT_HEADS_DIR, AUDIT_SIGNING_KEY }) => AUDIT_HEADS_DIR === undefined || AUDIT_SIGNING_KEY !== undefined,
    {
      path: ["AUDIT_SIGNING_KEY"],
      message: "must be set where AUDIT_HEADS_DIR is",
    },
  )
  .superRefine((settings, ctx) => {
    for (const { name, problem } of halfSetArchive(settings))
      ctx.addIssue({ code: "custom", path: [name], message: problem });
  })
  .superRefine((settings, ctx) => {
    for (const { name, problem } of unsafeSettings(settings))
      ctx.addIssue({ code: "custom", path: [name], message: problem });
  });

type ArchiveSettings = Readonly<
  Partial<Record<(typeof ofArchive)[number], string | undefined>> & { ARCHIVE_AFTER_DAYS?: number | undefined }
>;

/** What names an archive, all of it together or none. */
const ofArchive = [
  ...(["ARCHIVE_ENDPOINT", "ARCHIVE_BUCKET", "ARCHIVE_ACCESS_KEY_ID", "ARCHIVE_SECRET_ACCESS_KEY"] as const),
];

function halfSetArchive(settings: ArchiveSettings): readonly { readonly name: string; readonly problem: string }[] {
  const given = ofArchive.filter((name) => settings[name] !== undefined);
  const isAsked = given.length > 0 || settings.ARCHIVE_AFTER_DAYS !== undefined;
  const [first = "ARCHIVE_AFTER_DAYS"] = given;
  const missing = isAsked ? ofArchive.filter((name) => settings[name] === undefined) : [];
  return missing.map((name) => ({ name, problem: `must be set where ${first} is` }));
}

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

export type Env = z.infer<typeof schema>;

let parsed: Env | undefined;

/** The environment, parsed at the first call. No other code reads it. An error names what is wrong, never a value. */
export function env(): Env {
  if (parsed) return parsed;
  const result = schema.safeParse(process.env);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new Error(`The environment is incomplete: ${problems.join("; ")}`);
  }
  parsed = result.data;
  return parsed;
}

/** The secret that encrypts session cookies; throws outside the web server, which alone has it. */
export function sessionSecret(): string {
  const { NEXTAUTH_SECRET: secret } = env();
  if (secret === undefined) throw new Error("The environment is incomplete: NEXTAUTH_SECRET is not set");
  return secret;
}

let reached: Networks | undefined;

/** The allowed networks beyond the public internet; needs no other setting. */
export function outboundNetworks(): Networks {
  reached ??= z.object({ OUTBOUND_PRIVATE_NETWORKS: networks }).parse(process.env).OUTBOUND_PRIVATE_NETWORKS ?? [];
  return reached;
}

/** The payers of this machine to which anything may be released automatically; needs no other setting. */
export function sandboxPayers(): readonly string[] {
  return z.object({ SANDBOX_PAYERS: sandboxOrigins }).parse(process.env).SANDBOX_PAYERS;
}

/** The file of breached passwords, if there is one; needs no other setting. */
export function breachedPasswordsFile(): string | undefined {
  return z.object({ BREACHED_PASSWORDS_FILE: breachedFile }).parse(process.env).BREACHED_PASSWORDS_FILE;
}

let proxies: Networks | undefined;

/** The proxies in front of this service; needs no other setting. */
export function trustedProxies(): Networks {
  proxies ??= z.object({ TRUSTED_PROXIES: networks }).parse(process.env).TRUSTED_PROXIES ?? [];
  return proxies;
}
