import { sharedDeps } from "#lib/a2a/shared-deps";
import type { TokenDeps } from "./serve.ts";
import { tokenUrl } from "./token-url.ts";

/** What granting tokens needs from this process. */
export function sharedTokenDeps(): TokenDeps {
  return { ...sharedDeps(), tokenUrl: tokenUrl() };
}
