import { connectorNames } from "#lib/payer/model/destination";
import { supports } from "#lib/payer/model/support";
import { knownWord } from "#lib/platform/known-word";
import type { Store, Tx } from "#lib/db/db";
import type { ListedPayer } from "#lib/practice/model/listed-payer";
import type { RouteRule } from "#lib/practice/model/route-rule";

type Row = {
  readonly payerId: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly connector: string | null;
  readonly supports: readonly string[];
  readonly requiredFields: readonly string[];
  readonly rules: unknown;
};

export async function findPayer(
  db: Store | Tx,
  { practiceId, payerId }: { readonly practiceId: string; readonly payerId: string },
): Promise<ListedPayer | undefined> {
  const client = "prisma" in db ? db.prisma : db;
  const row = await client.payer.findUnique({ where: { practiceId_payerId: { practiceId, payerId } } });
  return row ? rowToPayer(row) : undefined;
}

export function rowToPayer({ connector, rules, ...row }: Row): ListedPayer {
  return {
    payerId: row.payerId,
    name: row.name,
    aliases: row.aliases,
    connector: connector === null ? undefined : knownWord(connectorNames, connector, "payer.connector"),
    supports: row.supports.map((word) => knownWord(supports, word, "payer.supports")),
    requiredFields: row.requiredFields,
    // Safe because only rules of this form are written.
    rules: rules as readonly RouteRule[],
  };
}
