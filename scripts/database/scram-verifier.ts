import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const iterations = 4096;

/**
 * What Postgres keeps in place of a password (RFC 5803), for a statement that says it: a server may log its statements.
 * Undefined for a password beyond printable ASCII, which the server prepares first (RFC 4013) and so has to be told.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string | undefined {
  if (!/^[ -~]+$/.test(password)) return undefined;
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const keyed = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(keyed("Client Key")).digest("base64");
  const serverKey = keyed("Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
