import { connectorNames, type ConnectorName } from "#lib/payer/model/destination";
import { supports, type Support } from "#lib/payer/model/support";
import { knownWord } from "#lib/platform/known-word";
import type { Store, Tx } from "#lib/db/db";
import { unlistedPolicies, type ListedPayer, type UnlistedPolicy } from "#lib/practice/model/listed-payer";
import type { RouteRule } from "#lib/practice/model/route-rule";
import { rowToPayer } from "#lib/practice/shared/find-payer";

/** The payers of a practice's directory, by name. */
export async function listPayerRecords(db: Store | Tx, practiceId: string): Promise<readonly ListedPayer[]> {
  const client = "prisma" in db ? db.prisma : db;
  const rows = await client.payer.findMany({
    where: { practiceId },
    orderBy: [{ name: "asc" }, { payerId: "asc" }],
  });
  return rows.map(rowToPayer);
}

/** Adds the payer to the directory, or replaces it. The caller holds the practice. */
export async function putPayer(tx: Tx, practiceId: string, { payerId, ...payer }: ListedPayer): Promise<void> {
  const columns = {
    name: payer.name,
    aliases: [...payer.aliases],
    connector: payer.connector ?? null,
    supports: [...payer.supports],
    requiredFields: [...payer.requiredFields],
    rules: payer.rules.map((rule) => ({
      name: rule.name,
      serviceTypes: [...rule.serviceTypes],
      codes: rule.codes.map((range) => ({ ...range })),
      linesOfBusiness: [...rule.linesOfBusiness],
      connection: rule.connection,
    })),
  };
  await tx.payer.upsert({
    where: { practiceId_payerId: { practiceId, payerId } },
    create: { practiceId, payerId, ...columns },
    update: columns,
  });
}

/** Removes the payer from the directory. The caller holds the practice. */
export async function deletePayer(tx: Tx, of: { readonly practiceId: string; readonly payerId: string }) {
  await tx.payer.deleteMany({ where: of });
}

/** A payer that a practice lists or is connected to, as its agents are told of it. */
export type DirectoryRow = {
  readonly practiceId: string;
  readonly payerId: string;
  readonly name: string | null;
  readonly aliases: readonly string[];
  /** How it is reached: by its connection, or else by what the directory says of it. */
  readonly connector: ConnectorName | null;
  readonly supports: readonly Support[] | null;
  readonly requiredFields: readonly string[];
  readonly rules: readonly RouteRule[];
};

type StoredDirectoryRow = Omit<DirectoryRow, "connector" | "supports"> & {
  readonly connector: string | null;
  readonly supports: readonly string[] | null;
};

/** The payers of these practices, those of one practice together; `max` and one more at most. */
export async function listDirectoryRows(
  store: Store,
  { practices, max }: { readonly practices: readonly string[]; readonly max: number },
): Promise<readonly DirectoryRow[]> {
  const { rows } = await store.pool.query<StoredDirectoryRow>({
    name: "list-directory-rows",
    text: `
      SELECT practice_id AS "practiceId", payer_id AS "payerId", coalesce(d.name, r.payer_name) AS name,
             coalesce(d.aliases, '{}') AS aliases, coalesce(r.connector, d.connector) AS connector, d.supports,
             coalesce(d.required_fields, '{}') || coalesce(r.required_fields, '{}') AS "requiredFields",
             coalesce(d.rules, '[]') AS rules
        FROM (SELECT * FROM payer WHERE practice_id = ANY ($1::text[])) d
        FULL JOIN (SELECT DISTINCT ON (practice_id, payer_id) practice_id, payer_id, payer_name, connector, required_fields
                     FROM route WHERE practice_id = ANY ($1::text[]) ORDER BY practice_id, payer_id, version DESC) r
                  USING (practice_id, payer_id)
       ORDER BY practice_id, name, payer_id LIMIT $2`,
    values: [practices, max + 1],
  });
  return rows.map(({ connector, supports: stored, ...row }) => ({
    ...row,
    connector: connector === null ? null : knownWord(connectorNames, connector, "route.connector"),
    supports: stored && stored.map((word) => knownWord(supports, word, "payer.supports")),
  }));
}

/** What becomes of requests to unlisted payers, by practice. */
export async function loadUnlistedPolicies(
  store: Store,
  practices: readonly string[],
): Promise<ReadonlyMap<string, UnlistedPolicy>> {
  const rows = await store.prisma.practice.findMany({
    where: { id: { in: [...practices] } },
    select: { id: true, unlistedPayers: true },
  });
  return new Map(
    rows.map(({ id, unlistedPayers }) => [id, knownWord(unlistedPolicies, unlistedPayers, "practice.unlisted_payers")]),
  );
}

/** The payer ids of a practice's payer connections. */
export async function connectedPayers(tx: Tx, practiceId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.route.findMany({ where: { practiceId }, distinct: ["payerId"], select: { payerId: true } });
  return new Set(rows.map(({ payerId }) => payerId));
}
