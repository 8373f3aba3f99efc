import type { PersonActor } from "#lib/access/model/actor";
import type { Issue } from "./refusal.ts";

/** Why something around a case was not done: a claim, an assignment, a note. None of it moves the case. */
export type DeskRefusal =
  | { readonly type: "not-found" }
  | { readonly type: "invalid"; readonly issues: readonly Issue[] }
  /** Somebody has the case; who wants it takes it over from them by name. */
  | { readonly type: "claimed"; readonly by: string; readonly until: Date }
  /** It is assigned to somebody else than the asker's page said; undefined for nobody. */
  | { readonly type: "assigned-meanwhile"; readonly to: string | undefined }
  /** Whom it was to be assigned to may not decide for its practice. */
  | { readonly type: "not-able" };

/** The practices a person reviews for; none for who is no reviewer. */
export function reviewedBy({ roles, practices }: PersonActor): readonly string[] {
  return roles.includes("reviewer") ? practices : [];
}
