import { changesBetween, type Change } from "#lib/task/model/changes";
import type { SettingsVersion } from "#lib/access/store/settings-versions";

/** A version with what it changed; the first there is changed nothing. */
export type VersionChange = Omit<SettingsVersion, "state"> & { readonly changes: readonly Change[] };

/** `more` is where the next page begins. */
export type VersionPage = { readonly list: readonly VersionChange[]; readonly more: number | undefined };

export const versionsShown = 20;

/** Before every version there may be. */
export const newest = 2_147_483_647;

/** A page of versions, each with what it changed field by field; the one after the last is there to compare with. */
export function versionPage(versions: readonly SettingsVersion[]): VersionPage {
  const list = versions.slice(0, versionsShown).map(({ state, ...version }, index) => {
    const older = versions[index + 1];
    return { ...version, changes: older ? changesBetween(older.state, state) : [] };
  });
  return { list, more: versions.length > versionsShown ? list.at(-1)?.version : undefined };
}
