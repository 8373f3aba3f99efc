import { isIP } from "node:net";
import { databaseUrls } from "./database-url.ts";

/** The settings that decide whether a start is safe; only those that the process has are checked. */
export type StartSettings = {
  readonly HOST?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
  readonly DEMO?: string | undefined;
  readonly DATABASE_URL?: string | undefined;
  readonly APP_DATABASE_URL?: string | undefined;
  readonly LISTEN_DATABASE_URL?: string | undefined;
  readonly NEXTAUTH_SECRET?: string | undefined;
};

export type UnsafeSetting = { readonly name: keyof StartSettings; readonly problem: string };

/** 32 characters of base64url are 192 random bits; `openssl rand -base64 32` makes 44. */
const secretCharsMin = 32;

/**
 * Why a service must not start with these settings: passwords and patients' data would cross a network unencrypted, the
 * published passwords of the demo would let strangers in, or sessions could be forged by guessing. Loopback counts as this
 * machine.
 */
export function unsafeSettings(settings: StartSettings): readonly UnsafeSetting[] {
  const { HOST = "127.0.0.1", PUBLIC_URL, DEMO, NEXTAUTH_SECRET } = settings;
  const [isOpen, url] = [!isLoopback(HOST), PUBLIC_URL === undefined ? null : URL.parse(PUBLIC_URL)];
  return [
    ...(isOpen && url?.protocol === "http:" ? [inClear(HOST)] : []),
    ...(url?.protocol === "http:" && !isLoopback(url.hostname) ? [notSecured(url)] : []),
    ...(DEMO !== undefined && isOpen ? [demoAt("HOST", HOST)] : []),
    ...(DEMO !== undefined && url && !isLoopback(url.hostname) ? [demoAt("PUBLIC_URL", url.hostname)] : []),
    ...(["DATABASE_URL", "APP_DATABASE_URL", "LISTEN_DATABASE_URL"] as const)
      .filter((name) => isPlainRemote(settings[name]))
      .map(withoutTls),
    ...(NEXTAUTH_SECRET !== undefined && NEXTAUTH_SECRET.length < secretCharsMin ? [tooShort] : []),
  ];
}

const inClear = (host: string): UnsafeSetting => ({
  name: "HOST",
  problem: `is ${host}, which others reach, while PUBLIC_URL is an http address: let a proxy in front serve https and set PUBLIC_URL to that address, or listen on 127.0.0.1`,
});

const notSecured = ({ hostname }: URL): UnsafeSetting => ({
  name: "PUBLIC_URL",
  problem: `sends people to ${hostname} without TLS: set it to the https address of the proxy in front`,
});

const demoAt = (name: "HOST" | "PUBLIC_URL", where: string): UnsafeSetting => ({
  name,
  problem: `is ${where}, and the demo, whose passwords are no secret, is for this machine alone: set DATABASE_URL to a database of your own, or leave ${name} unset`,
});

const withoutTls = (name: UnsafeSetting["name"]): UnsafeSetting => ({
  name,
  problem: "names a database on another machine without TLS: add sslmode=verify-full to it",
});

const tooShort: UnsafeSetting = {
  name: "NEXTAUTH_SECRET",
  problem: `has fewer than ${secretCharsMin} characters: make one with \`openssl rand -base64 32\``,
};

/** Whether a name or address means this machine only. */
function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (isIP(address) === 4) return address.startsWith("127.");
  return address === "::1" || address === "localhost" || address.endsWith(".localhost");
}

/**
 * pg verifies the server's certificate with each of these modes (https://node-postgres.com/features/ssl), unless it is
 * configured to interpret them like libpq; a Unix socket has no host.
 */
const verified = new Set(["require", "verify-ca", "verify-full"]);

function isPlainRemote(text: string | undefined): boolean {
  return text !== undefined && (databaseUrls(text)?.some(isPlainRemoteHost) ?? false);
}

function isPlainRemoteHost(url: URL): boolean {
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  if (host === "" || host.startsWith("/") || isLoopback(host)) return false;
  const mode = url.searchParams.get("sslmode") ?? "";
  return !verified.has(mode) || (url.searchParams.has("uselibpqcompat") && mode !== "verify-full");
}
