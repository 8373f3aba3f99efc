import { createPublicKey, verify } from "node:crypto";
import { isNode, numberAt, textAt, type Node } from "#simulator/json";
import { keysOf, type Clients } from "./clients.ts";

/** SMART App Launch 2.2, "Client Authentication: Asymmetric": an assertion lives for five minutes at most. */
const secondsMax = 300;

/** What each algorithm SMART allows asks of a key. */
const algorithms: Readonly<Record<string, { readonly kty: string; readonly crv?: string }>> = {
  RS384: { kty: "RSA" },
  ES384: { kty: "EC", crv: "P-384" },
};

export type ProofResult =
  | { readonly ok: true; readonly clientId: string }
  | { readonly ok: false; readonly problem: string };

/** Proves clients by their assertions, each of which is good once. */
export type Assertions = {
  readonly prove: (assertion: string, audience: string) => Promise<ProofResult>;
};

export function createAssertions(clients: Clients): Assertions {
  const usedUntil = new Map<string, number>();
  return {
    prove: async (assertion, audience) => {
      const parts = takenApart(assertion);
      if (!parts) return refused("it is no JWT");
      const { header, claims } = parts;
      const clientId = textAt(claims, "iss") ?? "";
      const client = clients.find(clientId);
      if (!client) return refused("iss is no client of ours");
      const problem = claimProblem(claims, audience) ?? headerProblem(header);
      if (problem !== undefined) return refused(problem);
      const keys = await keysOf(client);
      if (!keys.some((key) => isSignedBy(parts, key))) return refused("no key of the client with this kid signed it");
      const now = Date.now() / 1000;
      for (const [used, until] of usedUntil) if (until < now) usedUntil.delete(used);
      const name = JSON.stringify([clientId, claims["jti"]]);
      if (usedUntil.has(name)) return refused("jti was used before");
      usedUntil.set(name, numberAt(claims, "exp") ?? now);
      return { ok: true, clientId };
    },
  };
}

type Parts = { readonly header: Node; readonly claims: Node; readonly signed: string; readonly signature: Buffer };

function takenApart(assertion: string): Parts | undefined {
  const [first = "", second = "", third = "", ...others] = assertion.split(".");
  const [header, claims] = [first, second].map((part) => {
    try {
      return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as unknown;
    } catch {
      return undefined;
    }
  });
  if (!isNode(header) || !isNode(claims) || others.length > 0) return undefined;
  return { header, claims, signed: `${first}.${second}`, signature: Buffer.from(third, "base64url") };
}

function claimProblem(claims: Node, audience: string): string | undefined {
  const now = Date.now() / 1000;
  const exp = numberAt(claims, "exp");
  if (claims["sub"] !== claims["iss"]) return "sub must be iss";
  if (claims["aud"] !== audience) return `aud must be ${audience}`;
  if (exp === undefined || exp <= now) return "exp must be in the future";
  if (exp > now + secondsMax) return "exp must be at most five minutes away";
  if ((numberAt(claims, "nbf") ?? 0) > now + 60) return "nbf is in the future";
  return (textAt(claims, "jti") ?? "") === "" ? "jti must be there" : undefined;
}

function headerProblem(header: Node): string | undefined {
  if (!Object.hasOwn(algorithms, textAt(header, "alg") ?? "")) return "alg must be RS384 or ES384";
  if (header["typ"] !== "JWT") return "typ must be JWT";
  return (textAt(header, "kid") ?? "") === "" ? "kid must be there" : undefined;
}

function isSignedBy({ header, signed, signature }: Parts, key: Node): boolean {
  const needs = algorithms[textAt(header, "alg") ?? ""];
  if (!needs || key["kid"] !== header["kid"] || key["kty"] !== needs.kty) return false;
  if (needs.crv !== undefined && key["crv"] !== needs.crv) return false;
  try {
    const publicKey = createPublicKey({ key, format: "jwk" });
    return verify("sha384", Buffer.from(signed), { key: publicKey, dsaEncoding: "ieee-p1363" }, signature);
  } catch {
    return false;
  }
}

function refused(problem: string): ProofResult {
  return { ok: false, problem };
}
