import type { Context } from "#lib/access/context";
import { administers, isAdmin, reaches } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import type { ChannelRecord } from "#lib/channel/store/admin-channels";
import { namesOf } from "#lib/access/store/names";
import { listChannelVersions, type SettingsVersion } from "#lib/access/store/settings-versions";
import { findAdministered } from "./administered-channel.ts";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";
import { newest, versionPage, versionsShown, type VersionPage } from "#lib/access/version-page";

export type ChannelVersions = VersionPage & {
  readonly channel: ChannelRecord;
  /** What owners and practices are called that versions name by their ids. */
  readonly names: ReadonlyMap<string, string>;
};

/**
 * The versions of a channel, the newest first, each with what it changed. A practice it reached once and that whoever
 * looks does not administer is not named.
 */
export async function showChannelVersions(
  { actor, store }: Context,
  { channelId, before = newest }: { readonly channelId: string; readonly before?: number | undefined },
): Promise<Result<ChannelVersions, AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "channels");
  const administered = await findAdministered(store, actor, channelId);
  if (!administered.ok) return administered;
  const channel = administered.value;
  const found = await listChannelVersions(store, { channelId: channel.id, before, limit: versionsShown });
  const own = administers(actor);
  const versions = found.map((version) => ({ ...version, state: seenState(version, (id) => reaches(own, [id])) }));
  const ids = versions.flatMap(({ state }) => [...ownerIn(state), ...Object.keys(practicesIn(state))]);
  return ok({ channel, names: await namesOf(store, ids), ...versionPage(versions) });
}

const ownerIn = ({ owner }: SettingsVersion["state"]) => (typeof owner === "string" ? [owner] : []);
// Safe because every version of a channel has its practices so.
const practicesIn = (state: SettingsVersion["state"]) =>
  (state["practices"] ?? {}) as Readonly<Record<string, unknown>>;

/** The state without practices that are not theirs to know of. */
function seenState({ state }: SettingsVersion, isSeen: (practiceId: string) => boolean): SettingsVersion["state"] {
  const practices = Object.entries(practicesIn(state));
  const hidden = practices.filter(([id]) => !isSeen(id)).length;
  const seen = Object.fromEntries(practices.filter(([id]) => isSeen(id)));
  return { ...state, practices: seen, ...(hidden > 0 ? { otherPractices: hidden } : {}) };
}
