import type { Store, Tx } from "#lib/db/db";
import { searchToken } from "#lib/db/sealed";

/** One thing by which a case is found or compared, in the one form in which it is stored. */
type CaseTerm = { readonly kind: "name" | "birth" | "authorization"; readonly text: string };

/** What is stored of a term: nothing can be read from it, and in another practice it is another. */
export function caseToken(db: Store | Tx, { kind, text }: CaseTerm, practiceId: string): Uint8Array<ArrayBuffer> {
  return searchToken(db, `${kind}\n${text}`, practiceId);
}
