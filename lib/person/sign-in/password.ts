import { hash, verify } from "@node-rs/argon2";
import type { Result } from "#lib/platform/result";
import { inTurn } from "./hash-turns.ts";

/** argon2id, the library's default kind, at OWASP's first choice: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const passwordCharactersMin = 12;
export const passwordCharactersMax = 256;

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** The same for somebody known here, in their turn; `busy` where too many hash passwords just now. */
export function hashInTurn(password: string): Promise<Result<string, "busy">> {
  return inTurn("known", () => hashPassword(password));
}

/** False for an unknown person too, after the same work as for a known one. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const known = kept ?? (await unknownPersonsHash());
  const same = await verify(known, password.slice(0, passwordCharactersMax + 1));
  return same && kept !== undefined;
}

let unknown: Promise<string> | undefined;

function unknownPersonsHash(): Promise<string> {
  unknown ??= hashPassword(crypto.randomUUID());
  return unknown;
}
