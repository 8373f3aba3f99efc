import { hash, verify } from "@node-rs/argon2";
import { passwordCharactersMax } from "#lib/person/model/password-length";
import type { Result } from "#lib/platform/result";
import { inTurn } from "./hash-turns.ts";

/** argon2id, the library's default variant, with OWASP's first choice: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** The same in the queue of known people; `busy` where too many wait for a hash. */
export function hashInTurn(password: string): Promise<Result<string, "busy">> {
  return inTurn("known", () => hashPassword(password));
}

/** Whether this is the password. An unknown person costs the same work and is false. */
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
