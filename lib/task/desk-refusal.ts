import type { PersonActor } from "#lib/access/model/actor";
import type { Issue } from "./refusal.ts";

/** Why an assignment or a note was refused. Neither changes the case itself. */
export type DeskRefusal =
  | { readonly type: "not-found" }
  | { readonly type: "invalid"; readonly issues: readonly Issue[] }
  /** It is assigned to somebody other than the page said. Undefined if to nobody. */
  | { readonly type: "assigned-meanwhile"; readonly to: string | undefined }
  /** The new assignee may not decide for the case's practice. */
  | { readonly type: "not-able" };

/** The practices that a person reviews for; none for somebody without the reviewer role. */
export function reviewedBy({ roles, practices }: PersonActor): readonly string[] {
  return roles.includes("reviewer") ? practices : [];
}
