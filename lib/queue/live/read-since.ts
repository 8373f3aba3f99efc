import { z } from "zod";
import type { Heads } from "#lib/audit/shared/heads";

/** Most practices that one request names. */
const practicesMax = 200;

const schema = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(z.string().regex(/^[A-Za-z0-9._-]{1,64}:(?:0|[1-9]\d{0,8})$/)).max(practicesMax));

/** The audit heads that a page was drawn at, as in its address (`elm:12,oak:3`); undefined when malformed. */
export function readSince(text: string | null): Heads | undefined {
  const read = schema.safeParse(text);
  if (!read.success) return undefined;
  return Object.fromEntries(
    read.data.map((pair) => [pair.split(":", 1)[0], Number(pair.slice(pair.indexOf(":") + 1))]),
  );
}
