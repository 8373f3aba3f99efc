import { z } from "zod";
import { publicKeyText } from "#lib/platform/signing-keys";
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

/** Networks the service may reach out to beyond the public internet, in CIDR: a payer behind a VPN, this machine. */
const networks = z
  .string()
  .default("")
  .transform((text) => readNetworks(text))
  .refine((list) => list !== undefined, "must be networks in CIDR parted by commas, such as 10.20.0.0/16");

const wordList = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()])));

/** Over the network only TLS; a provider on this machine, as tests and trials have one, may do without. */
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

const breachedFile = z.string().min(1).optional();

const schema = z
  .object({
    OUTBOUND_PRIVATE_NETWORKS: networks,
    /** Proxies in front of this service, whose X-Forwarded-For is believed. */
    TRUSTED_PROXIES: networks,
    /** What one channel may have kept in a day by each server process, in bytes. */
    CHANNEL_BYTES_PER_DAY: z.coerce
      .number()
      .int()
      .min(64 * 1024 * 1024)
      .default(16 * 1024 ** 3),
    APP_DATABASE_URL: z.string().min(1),
    DATABASE_CONNECTIONS_MAX: z.coerce.number().int().min(2).max(200).default(20),
    /** The keys that wrap the practices' keys, the current one first; or the file they are in, which wins. */
    SEALING_KEY: z
      .string()
      .refine(
        (text) => parseKeyRing(text) !== undefined,
        "must be 32 bytes in base64, `openssl rand -base64 32`, or several such parted by commas",
      )
      .optional(),
    SEALING_KEY_FILE: z.string().min(1).optional(),
    /** Signs the receipts of decisions; only what serves the pages needs it. */
    RECEIPT_SIGNING_KEY: base64Key.optional(),
    /** The public keys receipts were signed with before, which are still published. */
    RECEIPT_PAST_KEYS: pastKeys,
    /** Signs the heads of the audit record; only the worker needs it, where there is a folder for them. */
    AUDIT_SIGNING_KEY: base64Key.optional(),
    /** The public keys heads were signed with before. */
    AUDIT_PAST_KEYS: pastKeys,
    /** Where signed heads are written to, out of reach of whoever owns the database; unset, none are. */
    AUDIT_HEADS_DIR: z.string().min(1).optional(),
    /** Where the worker notes what it submits, out of reach of the database and its backups; only the worker needs it. */
    SUBMISSION_LEDGER_DIR: z.string().min(1).optional(),
    /** Set where nothing may be submitted, asked or mailed to anybody outside. */
    SENDING: z.literal("off").optional(),
    AUDIT_HEADS_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(300),
    /** Hashes the secrets of channel keys; the worker knows no key and needs none. */
    CHANNEL_KEY_PEPPER: base64Key.optional(),
    /** Seals the cookies of sessions; only what serves the pages needs it. */
    NEXTAUTH_SECRET: z.string().optional(),
    HOST: z.string().default("127.0.0.1"),
    PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
    NEXTAUTH_URL: z.url().optional(),
    PUBLIC_URL: z.url().default("http://localhost:3000"),
    /** The OpenID Connect provider people may sign in with; what it can do is discovered from its address. */
    OIDC_ISSUER: issuerUrl.optional(),
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    /** What it is asked for, with spaces between; some providers tell groups only for a scope of their own. */
    OIDC_SCOPE: z
      .string()
      .regex(/^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/, "must begin with openid, with single spaces between")
      .default("openid"),
    /** The member of its id token that lists a person's groups. */
    OIDC_GROUPS_CLAIM: z.string().min(1).default("groups"),
    /** Values of `acr` or `amr`, with commas between, of which one says that a second factor was used. */
    OIDC_MFA: wordList,
    /** What people here call it. */
    OIDC_LABEL: z.string().trim().min(1).max(40).default("single sign-on"),
    /** Set where only demo data is served; every page says so. */
    DEMO: z.literal("1").optional(),
    /** The longest one action may take to reach its payer and be answered; less than the worker's lease of 90 s. */
    SEND_DEADLINE_MS: z.coerce.number().int().min(100).max(60_000).default(60_000),
    /** Where mail is given to, `smtp://user:password@host:587` or `smtps://`; unset, none is sent. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*[^\s@]+@[^\s@]+$/, "must be an address")
      .optional(),
    /** From this day on nothing is released of what a channel asks that nobody answers for; in UTC. */
    CHANNEL_OWNERS_FROM: z.iso
      .date()
      .default("2027-02-01")
      .transform((day) => new Date(day)),
    /** Set where whoever administers or audits anything needs a second factor. */
    SECOND_FACTOR: z.literal("required").optional(),
    /** Passwords known from breaches, which nobody may choose: SHA-1 in hex, one a line, in their order. */
    BREACHED_PASSWORDS_FILE: breachedFile,
    /** Where each log line goes besides standard output: syslog over TLS, `tls://host:6514`. */
    LOG_COLLECTOR: logCollector,
    /** How many pages, forms and files one person may ask for in a second, and everybody not signed in by network. */
    PAGES_PER_SECOND: z.coerce.number().int().min(1).max(10_000).default(10),
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
    /** Where a test kills or freezes the worker. */
    CRASH_POINT: z.enum(crashPoints).optional(),
    CRASH_SIGNAL: z.enum(["SIGKILL", "SIGSTOP"]).default("SIGKILL"),
  })
  .refine(({ CRASH_POINT, NODE_ENV }) => CRASH_POINT === undefined || NODE_ENV !== "production", {
    path: ["CRASH_POINT"],
    message: "is for tests only and must not be set in production",
  })
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
    for (const { name, problem } of unsafeSettings(settings))
      ctx.addIssue({ code: "custom", path: [name], message: problem });
  });

/** Every setting there is. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

export type Env = z.infer<typeof schema>;

let parsed: Env | undefined;

/** The environment, parsed when first asked; the only reader of it. What is wrong is named, never its value. */
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

/** What the cookies of sessions are sealed with; only what serves the pages is given it. */
export function sessionSecret(): string {
  const { NEXTAUTH_SECRET: secret } = env();
  if (secret === undefined) throw new Error("The environment is incomplete: NEXTAUTH_SECRET is not set");
  return secret;
}

let reached: Networks | undefined;

/** The networks beyond the public internet that may be reached; needs no other setting. */
export function outboundNetworks(): Networks {
  reached ??= z.object({ OUTBOUND_PRIVATE_NETWORKS: networks }).parse(process.env).OUTBOUND_PRIVATE_NETWORKS ?? [];
  return reached;
}

/** The file of passwords known from breaches, where there is one; needs no other setting. */
export function breachedPasswordsFile(): string | undefined {
  return z.object({ BREACHED_PASSWORDS_FILE: breachedFile }).parse(process.env).BREACHED_PASSWORDS_FILE;
}

let proxies: Networks | undefined;

/** The proxies in front of this service; needs no other setting. */
export function trustedProxies(): Networks {
  proxies ??= z.object({ TRUSTED_PROXIES: networks }).parse(process.env).TRUSTED_PROXIES ?? [];
  return proxies;
}
