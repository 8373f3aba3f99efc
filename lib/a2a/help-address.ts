import { env } from "#lib/platform/env";

/** The address of the page that explains errors, which each error names. */
export function helpAddress(): string {
  return new URL("/developers/errors", env().PUBLIC_URL).href;
}
