import { env } from "#lib/platform/env";

/** Where tokens are asked for, and what assertions are made out to. */
export function tokenUrl(): string {
  return new URL("/api/token", env().PUBLIC_URL).href;
}
