import { env } from "#lib/platform/env";

/** The address of the token endpoint, which is the audience of assertions. */
export function tokenUrl(): string {
  return new URL("/api/token", env().PUBLIC_URL).href;
}
