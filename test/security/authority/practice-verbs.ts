import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { newId } from "#lib/db/new-id";
import { ok } from "#lib/platform/result";
import {
  activateRouteDraft,
  beginRouteDraft,
  discardRouteDraft,
  listRouteDrafts,
  setDraftAccess,
  showRouteDraft,
  testRouteDraft,
} from "#lib/practice/draft/route-draft";
import { connectionsNeedingAttention } from "#lib/practice/connection-attention";
import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { adminsHere, type Holder } from "./holders.ts";

const drafted = (practiceId: string) => ({ practiceId, payerId: "60054", connector: "pas-fhir" });

/** A draft of the doer's own, complete but for a payer that answers. */
async function aDraft(ctx: Context<PersonActor>, practiceId: string) {
  const begun = await beginRouteDraft(ctx, drafted(practiceId));
  if (!begun.ok) return begun;
  const id = { practiceId, draftId: begun.value.draftId };
  const set = await setDraftAccess(ctx, { ...id, url: "http://127.0.0.1:9/fhir" });
  return set.ok ? ok(id) : set;
}

type PracticeVerb = {
  readonly for: readonly Holder[];
  readonly act: (ctx: Context<PersonActor>, ground: { readonly practiceId: string }) => Promise<unknown>;
  readonly shows?: (ground: { readonly practiceId: string }) => string;
  readonly before?: (admin: Context, ground: { readonly practiceId: string }) => Promise<unknown>;
};

const change = (act: PracticeVerb["act"]): PracticeVerb => ({ for: adminsHere, act });

/** What an administrator does with a payer connection that is not active yet, and with emergency access. */
export const practiceVerbs: Readonly<Record<string, PracticeVerb>> = {
  setEmergencyAccess: change((ctx, { practiceId }) => setEmergencyAccess(ctx, { practiceId, on: true })),
  connectionsNeedingAttention: {
    for: adminsHere,
    act: (ctx) => connectionsNeedingAttention(ctx),
    shows: ({ practiceId }) => practiceId,
    before: async ({ store }, { practiceId }) => {
      const { id: routeId } = await store.prisma.route.findFirstOrThrow({ where: { practiceId } });
      const result = { ok: false, steps: [], at: new Date(), actor: "operator", practiceId };
      await store.prisma.routeTest.upsert({ where: { routeId }, create: { routeId, ...result }, update: result });
    },
  },
  beginRouteDraft: change((ctx, { practiceId }) => beginRouteDraft(ctx, drafted(practiceId))),
  setDraftAccess: change((ctx, { practiceId }) => aDraft(ctx, practiceId)),
  showRouteDraft: {
    for: adminsHere,
    act: async (ctx, { practiceId }) => {
      const begun = await beginRouteDraft(ctx, drafted(practiceId));
      return showRouteDraft(ctx, { practiceId, draftId: begun.ok ? begun.value.draftId : newId() });
    },
    shows: () => '"payerId":"60054"',
  },
  listRouteDrafts: {
    for: adminsHere,
    act: async (ctx, { practiceId }) => {
      await beginRouteDraft(ctx, drafted(practiceId));
      return listRouteDrafts(ctx, { practiceId });
    },
    shows: () => '"payerId":"60054"',
  },
  discardRouteDraft: {
    for: adminsHere,
    act: async (ctx, { practiceId }) => {
      const begun = await beginRouteDraft(ctx, drafted(practiceId));
      return discardRouteDraft(ctx, { practiceId, draftId: begun.ok ? begun.value.draftId : newId() });
    },
    // It leaves nothing of what was begun.
    shows: () => '"value":null',
  },
  testRouteDraft: change(async (ctx, { practiceId }) => {
    const draft = await aDraft(ctx, practiceId);
    return draft.ok ? testRouteDraft(ctx, draft.value) : draft;
  }),
  activateRouteDraft: change(async (ctx, { practiceId }) => {
    const draft = await aDraft(ctx, practiceId);
    return draft.ok ? activateRouteDraft(ctx, { ...draft.value, untested: true }) : draft;
  }),
};
