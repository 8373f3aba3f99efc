import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { countFalseAssertions } from "./false-assertions.ts";
import { createKeySets } from "./key-sets.ts";
import { tokenPlaces, type TokenDeps } from "./serve.ts";
import { tokenUrl } from "./token-url.ts";

/** One cache for this process. */
const keySets = createKeySets();
const places = tokenPlaces();
const falseAssertions = countFalseAssertions((refused) =>
  sharedDeps().log.info(refused, "too many false assertions came"),
);

/** What the token endpoint needs from this process. */
export function sharedTokenDeps(): TokenDeps {
  return { ...sharedDeps(), tokenUrl: tokenUrl(), keySets, places, falseAssertions };
}
