import { randomBytes } from "node:crypto";

/** A token as it was given out; the token itself is not in it. */
export type IssuedToken = {
  readonly at: string;
  readonly clientId: string;
  readonly scope: string;
  readonly expiresAt: string;
};

/** The access tokens the payer gave out. They are opaque, and live by the real clock: a client's clock is real as well. */
export type Tokens = {
  readonly seconds: number;
  readonly issue: (to: { readonly clientId: string; readonly scope: string }) => string;
  readonly stateOf: (token: string) => "valid" | "expired" | "unknown";
  /** What it was given out for. */
  readonly scopeOf: (token: string) => string | undefined;
  /** Ends one before its time. */
  readonly expire: (token: string) => void;
  readonly issued: () => readonly IssuedToken[];
};

export function createTokens(seconds = 300): Tokens {
  const byToken = new Map<string, IssuedToken>();
  return {
    seconds,
    issue: (to) => {
      const token = randomBytes(24).toString("base64url");
      const at = Date.now();
      const expiresAt = new Date(at + seconds * 1000).toISOString();
      byToken.set(token, { at: new Date(at).toISOString(), ...to, expiresAt });
      return token;
    },
    stateOf: (token) => {
      const issued = byToken.get(token);
      if (!issued) return "unknown";
      return Date.parse(issued.expiresAt) > Date.now() ? "valid" : "expired";
    },
    scopeOf: (token) => byToken.get(token)?.scope,
    expire: (token) => {
      const issued = byToken.get(token);
      if (issued) byToken.set(token, { ...issued, expiresAt: new Date(0).toISOString() });
    },
    issued: () => [...byToken.values()],
  };
}
