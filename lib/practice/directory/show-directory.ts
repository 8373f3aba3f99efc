import type { Context } from "#lib/access/context";
import { mayAdminister } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";
import { listVersions, type Subject } from "#lib/access/shared/settings-versions";
import { afterEveryVersion, versionPage, versionsShown, type VersionPage } from "#lib/access/version-page";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { ListedPayer } from "#lib/practice/model/listed-payer";
import { findPractice, type PracticeRecord } from "#lib/practice/shared/practices";
import { listRouteRecords, type RouteRecord } from "#lib/practice/store/admin-routes";
import { findPayer } from "#lib/practice/shared/find-payer";
import { listPayerRecords } from "#lib/practice/store/payers";

export type { ListedPayer };

/** The payer connection of a payer of the directory, as far as its list shows it. */
export type PayerConnection = Pick<RouteRecord, "payerId" | "payerName" | "connector" | "environment">;

export type ShownDirectory = {
  readonly practice: PracticeRecord;
  readonly payers: readonly ListedPayer[];
  /** The practice's payer connections, of payers in the directory or not. */
  readonly connections: readonly PayerConnection[];
};

/** A practice's payer directory, with its payer connections. */
export async function showDirectory(
  { actor, store }: Context,
  { practiceId }: { readonly practiceId: string },
): Promise<Result<ShownDirectory, AdminRefusal>> {
  if (!mayAdminister(actor, { practiceId })) return deny({ actor, store }, "practices");
  const practice = await findPractice(store, practiceId);
  if (!practice) return refuse({ type: "not-found", what: "practice" });
  const payers = await listPayerRecords(store, practiceId);
  return ok({ practice, payers, connections: await listRouteRecords(store, practiceId) });
}

/** One payer of a directory, with the practice's payer connections. */
export async function showPayer(
  { actor, store }: Context,
  of: { readonly practiceId: string; readonly payerId: string },
): Promise<Result<Omit<ShownDirectory, "payers"> & { readonly payer: ListedPayer }, AdminRefusal>> {
  const { practiceId } = of;
  if (!mayAdminister(actor, { practiceId })) return deny({ actor, store }, "practices");
  const practice = await findPractice(store, practiceId);
  const payer = await findPayer(store, of);
  if (!practice || !payer) return refuse({ type: "not-found", what: "payer" });
  return ok({ practice, payer, connections: await listRouteRecords(store, practiceId) });
}

/** How a payer of the directory was left by each change, newest first. */
export async function showPayerVersions(
  { actor, store }: Context,
  query: { readonly practiceId: string; readonly payerId: string; readonly before?: number | undefined },
): Promise<Result<VersionPage, AdminRefusal>> {
  const { practiceId, payerId, before = afterEveryVersion } = query;
  if (!mayAdminister(actor, { practiceId })) return deny({ actor, store }, "practices");
  const subject: Subject = `payer:${payerId}`;
  return ok(versionPage(await listVersions(store, { practiceId, subject, before, limit: versionsShown })));
}
