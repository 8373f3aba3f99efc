import { z } from "zod";
import type { ConnectionTestStep } from "#lib/payer/model/connection-test-step";
import { connectorNames } from "#lib/payer/model/destination";
import { type Db, prismaOf, type Store, type Tx } from "#lib/db/db";
import type { RouteDraft as DraftRow } from "#lib/db/generated/prisma/client";
import { openText, sealText } from "#lib/db/sealed";
import { environments } from "#lib/task/model/environment";

/** What a draft holds so far; all but the payer may still be missing. */
const draftInput = z.object({
  payerId: z.string(),
  payerName: z.string().optional(),
  connector: z.enum(connectorNames),
  url: z.string().optional(),
  environment: z.enum(environments).optional(),
  settings: z.record(z.string(), z.string()).default({}),
  lineOfBusiness: z.string().optional(),
  requiredFields: z.array(z.string()).default([]),
  keepCredential: z.boolean().default(false),
});

export type DraftInput = z.infer<typeof draftInput>;

export type DraftTest = { readonly ok: boolean; readonly steps: readonly ConnectionTestStep[] };

export type RouteDraft = {
  readonly id: string;
  readonly practiceId: string;
  readonly input: DraftInput;
  readonly hasCredential: boolean;
  readonly version: number;
  readonly changedAt: Date;
  /** Of exactly what the draft holds now. */
  readonly test: DraftTest | undefined;
};

/** Drafts are kept for this long after their last change. */
const keptHours = 24;

type Where = { readonly id: string; readonly practiceId: string; readonly madeBy: string };
type SealContext = { readonly tx: Tx; readonly store: Store };

/** The person's draft. Undefined where there is none, or where it is too old. */
export async function findDraft(db: Db, { id, practiceId, madeBy }: Where): Promise<RouteDraft | undefined> {
  const row = await prismaOf(db).routeDraft.findFirst({
    where: { id, practiceId, madeBy, changedAt: { gt: keptSince() } },
  });
  return row ? rowToDraft(row) : undefined;
}

/** The person's drafts of the practice's connections, the newest first. */
export async function listDrafts(db: Db, { practiceId, madeBy }: Omit<Where, "id">): Promise<readonly RouteDraft[]> {
  const rows = await prismaOf(db).routeDraft.findMany({
    where: { practiceId, madeBy, changedAt: { gt: keptSince() } },
    orderBy: { changedAt: "desc" },
  });
  return rows.map(rowToDraft);
}

const keptSince = () => new Date(Date.now() - keptHours * 3_600_000);

function rowToDraft(row: DraftRow): RouteDraft {
  const isTested = row.testedVersion === row.version && row.testOk !== null;
  return {
    ...{ id: row.id, practiceId: row.practiceId, version: row.version, changedAt: row.changedAt },
    hasCredential: row.credential !== null,
    input: draftInput.parse(row.input),
    // Safe because only steps of this form are stored.
    test: isTested
      ? { ok: row.testOk === true, steps: row.testSteps as unknown as readonly ConnectionTestStep[] }
      : undefined,
  };
}

/** Begins a draft, or changes it; its test counts no more. A credential that is not given stays. */
export async function putDraft(
  { tx, store }: SealContext,
  {
    id,
    practiceId,
    madeBy,
    input,
    credential,
  }: Where & { readonly input: DraftInput; readonly credential?: string | null },
): Promise<void> {
  await store.keys.ready([practiceId]);
  const sealed =
    credential === undefined
      ? {}
      : {
          credential:
            credential === null ? null : sealText(tx, "route_draft.credential", { row: id, practiceId }, credential),
        };
  const { count } = await tx.routeDraft.updateMany({
    where: { id, practiceId, madeBy },
    data: { input, ...sealed, version: { increment: 1 }, changedAt: new Date() },
  });
  if (count === 0) await tx.routeDraft.create({ data: { id, practiceId, madeBy, input, ...sealed } });
  await tx.routeDraft.deleteMany({ where: { practiceId, changedAt: { lt: keptSince() } } });
}

/** The credential that was typed into the draft; opened only to test it or to activate it. */
export async function draftCredential(store: Store, { id, practiceId }: Omit<Where, "madeBy">) {
  await store.keys.ready([practiceId]);
  const row = await store.prisma.routeDraft.findFirst({ where: { id, practiceId } });
  return row?.credential
    ? openText(store, "route_draft.credential", { row: id, practiceId }, row.credential)
    : undefined;
}

/** Keeps a test of this version; one of an earlier version is forgotten. */
export async function keepDraftTest(tx: Tx, { id, practiceId, version }: RouteDraft, test: DraftTest): Promise<void> {
  await tx.routeDraft.updateMany({
    where: { id, practiceId, version },
    data: { testedVersion: version, testOk: test.ok, testSteps: test.steps.map((step) => ({ ...step })) },
  });
}

export async function deleteDraft(tx: Tx, { id, practiceId }: Omit<Where, "madeBy">): Promise<void> {
  await tx.routeDraft.deleteMany({ where: { id, practiceId } });
}
