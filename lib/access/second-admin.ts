import { newId } from "#lib/db/new-id";
import type { Tx } from "#lib/db/db";
import { administers, reaches, type Actor } from "#lib/access/model/actor";
import { changeRecord, type WideningChange } from "#lib/access/model/widening-change";
import { insertChangeRequest, practicesWithSecondAdmin } from "#lib/access/shared/change-requests";
import type { Entry } from "./administer.ts";

/** What an act answers: the id of the part of it that waits for a second administrator, if any does. */
export type Awaiting = { readonly awaiting?: string | undefined };

/**
 * Those of these practices where what widens access waits for a second administrator. The operator is never held up:
 * access to the machine is the proof, and the way out where a practice has one administrator left.
 */
export async function wantingSecondAdmin(
  tx: Tx,
  actor: Actor,
  practices: readonly string[] | "every",
): Promise<readonly string[]> {
  return actor.kind === "person" ? practicesWithSecondAdmin(tx, practices) : [];
}

/**
 * Writes down a change that waits for a second administrator, with its audit entry for the act that asks. `scope` is the
 * practices whose administrators may confirm it; none means those of every practice.
 */
export async function requestChange(
  tx: Tx,
  actor: Actor,
  { change, scope }: { readonly change: WideningChange; readonly scope: readonly string[] },
): Promise<{ readonly id: string; readonly entry: Entry }> {
  if (actor.kind !== "person") throw new Error("Only a person waits for a second administrator.");
  const id = newId();
  await insertChangeRequest(tx, { id, change, scope, requestedBy: actor.id });
  return { id, entry: { act: "change.requested", detail: { change: id, ...changeRecord(change) } } };
}

/** Whether the actor administers everything that a request concerns. */
export function administersScope(actor: Actor, scope: readonly string[]): boolean {
  return reaches(administers(actor), scope);
}
