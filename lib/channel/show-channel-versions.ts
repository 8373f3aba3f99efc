import type { Context } from "#lib/access/context";
import { administers, isAdmin, reaches } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import type { ChannelRecord } from "#lib/channel/store/admin-channels";
import { namesOf } from "#lib/access/shared/names";
import { listChannelVersions, type SettingsVersion } from "#lib/access/shared/settings-versions";
import { findAdministeredChannel } from "./administered-channel.ts";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";
import { afterEveryVersion, versionPage, versionsShown, type VersionPage } from "#lib/access/version-page";

export type ChannelVersions = VersionPage & {
  readonly channel: ChannelRecord;
  /** The names of the owners and practices in these versions, by id. */
  readonly names: ReadonlyMap<string, string>;
};

/**
 * The versions of a channel, newest first, each with its changes. Practices that the actor does not administer are not
 * named.
 */
export async function showChannelVersions(
  { actor, store }: Context,
  { channelId, before = afterEveryVersion }: { readonly channelId: string; readonly before?: number | undefined },
): Promise<Result<ChannelVersions, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "channels");
  const administered = await findAdministeredChannel(store, actor, channelId);
  if (!administered.ok) return administered;
  const channel = administered.value;
  const found = await listChannelVersions(store, { channelId: channel.id, before, limit: versionsShown });
  const own = administers(actor);
  const versions = found.map((version) => ({ ...version, state: visibleState(version, (id) => reaches(own, [id])) }));
  const ids = versions.flatMap(({ state }) => [...ownerIn(state), ...Object.keys(practicesIn(state))]);
  return ok({ channel, names: await namesOf(store, ids), ...versionPage(versions) });
}

const ownerIn = ({ owner }: SettingsVersion["state"]) => (typeof owner === "string" ? [owner] : []);
// Safe because every version of a channel stores its practices this way.
const practicesIn = (state: SettingsVersion["state"]) =>
  (state["practices"] ?? {}) as Readonly<Record<string, unknown>>;

/** The state without the practices that the actor may not know of. */
function visibleState({ state }: SettingsVersion, isSeen: (practiceId: string) => boolean): SettingsVersion["state"] {
  const practices = Object.entries(practicesIn(state));
  const hidden = practices.filter(([id]) => !isSeen(id)).length;
  const visible = Object.fromEntries(practices.filter(([id]) => isSeen(id)));
  return { ...state, practices: visible, ...(hidden > 0 ? { otherPractices: hidden } : {}) };
}
