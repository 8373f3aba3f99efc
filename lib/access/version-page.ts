import { changesBetween, type Change } from "#lib/task/model/changes";
import type { SettingsVersion } from "#lib/access/shared/settings-versions";

/** A version and what it changed; the first version changed nothing. */
export type VersionChange = Omit<SettingsVersion, "state"> & { readonly changes: readonly Change[] };

/** `more` is the version number at which the next page begins. */
export type VersionPage = { readonly list: readonly VersionChange[]; readonly more: number | undefined };

export const versionsShown = 20;

/** Greater than every version number. */
export const afterEveryVersion = 2_147_483_647;

/**
 * A page of versions, each with its changes by field. The last of the given versions is only compared with, and begins
 * the next page.
 */
export function versionPage(versions: readonly SettingsVersion[]): VersionPage {
  const list = versions.slice(0, versionsShown).map(({ state, ...version }, index) => {
    const older = versions[index + 1];
    return { ...version, changes: older ? changesBetween(older.state, state) : [] };
  });
  return { list, more: versions.length > versionsShown ? list.at(-1)?.version : undefined };
}
