import type { Context } from "#lib/access/context";
import { deny } from "#lib/access/deny";
import { administers, isAdmin } from "#lib/access/model/actor";
import { subjectOf, type WideningChange } from "#lib/access/model/widening-change";
import type { AdminRefusal } from "#lib/access/refusal";
import { listChangeRequestRows, type ChangeRequest } from "#lib/access/shared/change-requests";
import { namesOf } from "#lib/access/shared/names";
import { channelNames } from "#lib/change-request/store/channel-names";
import { ok, type Result } from "#lib/platform/result";

export type ListedChange = ChangeRequest & {
  /** Whoever looks asked for it, and so cannot confirm it. */
  readonly isOwn: boolean;
};

export type ListedChanges = {
  readonly list: readonly ListedChange[];
  /** What the channels, people and practices in them are called, by id. */
  readonly names: ReadonlyMap<string, string>;
};

/**
 * The changes that wait for a second administrator, and those of the last weeks that were decided, of which the actor
 * administers everything they concern; the newest first. With `about`, those of one channel, person or practice alone.
 */
export async function listChanges(
  { actor, store }: Context,
  { about, waiting = false }: { readonly about?: string | undefined; readonly waiting?: boolean | undefined } = {},
): Promise<Result<ListedChanges, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "change");
  const theirs = await listChangeRequestRows(store, { practices: administers(actor), waiting });
  const rows = theirs.filter(({ change }) => about === undefined || subjectOf(change) === about);
  const list = rows.map((row) => ({ ...row, isOwn: actor.kind === "person" && actor.id === row.requestedBy }));
  const ids = [...new Set(rows.flatMap(({ change }) => idsIn(change)))];
  return ok({ list, names: new Map([...(await namesOf(store, ids)), ...(await channelNames(store, ids))]) });
}

function idsIn(change: WideningChange): readonly string[] {
  const named = [subjectOf(change), ...practicesOf(change)];
  return named.filter((id) => id !== undefined);
}

function practicesOf(change: WideningChange): readonly string[] {
  switch (change.kind) {
    case "channel-practices":
      return change.practices;
    case "admin-roles":
    case "admin-invitation":
      return change.roles.flatMap(({ practiceId }) => practiceId ?? []);
    case "admin-group":
      return change.practiceId === undefined ? [] : [change.practiceId];
    case "fewer-releases":
    case "second-admin-off":
    case "emergency-access-on":
      return [change.practiceId];
  }
}
