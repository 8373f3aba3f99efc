import type { Context } from "#lib/access/context";
import { administer, mayAdminister } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import type { PersonActor } from "#lib/access/model/actor";
import type { AdminRefusal } from "#lib/access/refusal";
import { validate } from "#lib/access/validate";
import { newId } from "#lib/db/new-id";
import { connectors } from "#lib/payer/connectors";
import { ok, refuse, type Result } from "#lib/platform/result";
import { withOfferedNotifications } from "#lib/practice/offered-notifications";
import { keptCredentialProblem, payerInput, routeInput, type RouteInput } from "#lib/practice/route-input";
import { environmentOf, setRoute } from "#lib/practice/set-route";
import { findPractice, lockPractice, type PracticeRecord } from "#lib/practice/shared/practices";
import { routesInForce } from "#lib/practice/store/admin-routes";
import { loadAccess, resolveRoute } from "#lib/practice/shared/resolved-route";
import {
  deleteDraft,
  draftCredential,
  findDraft,
  listDrafts,
  keepDraftTest,
  putDraft,
  type DraftInput,
  type DraftTest,
  type RouteDraft,
} from "#lib/practice/store/route-drafts";
import { keepRouteTest } from "#lib/practice/store/route-tests";
import { practiceProblems } from "#lib/messages/problems/admin";

export type { DraftTest, RouteDraft };

type Ctx = Context<PersonActor>;
type DraftId = { readonly practiceId: string; readonly draftId: string };

const gone = refuse({ type: "not-found", what: "route" } as const);

const whereOf = ({ actor }: Ctx, { practiceId, draftId }: DraftId) => ({ id: draftId, practiceId, madeBy: actor.id });

/** The longest that a whole test may take. */
const testMs = 30_000;

export type BeginDraft = {
  readonly practiceId: string;
  /** A draft to go on with; left out, a new one is begun. */
  readonly draftId?: string | undefined;
  readonly payerId: string;
  readonly payerName?: string | undefined;
  readonly connector: string;
  readonly environment?: "live" | "test" | undefined;
  readonly lineOfBusiness?: string | undefined;
};

/**
 * Which payer, and how it is reached: the first step of a new payer connection, or of another version of one. What the
 * active connection has goes on, its credential too, where the connection type stays the same. Nothing is active yet.
 */
export async function beginRouteDraft(
  ctx: Context<PersonActor>,
  given: BeginDraft,
): Promise<Result<{ draftId: string }, AdminRefusal>> {
  const { practiceId, draftId = newId(), ...input } = given;
  return administer(ctx, { practiceId }, async (tx) => {
    const read = validate(payerInput, input);
    if (!read.ok) return read;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const where = whereOf(ctx, { practiceId, draftId });
    const before = (await findDraft(tx, where))?.input ?? (await activeInput(tx, practiceId, read.value.payerId));
    const goesOn = before?.connector === read.value.connector ? before : undefined;
    const next: DraftInput = {
      settings: { ...withOfferedNotifications({}, { connector: read.value.connector, npi: practice.npi }) },
      keepCredential: false,
      ...goesOn,
      ...read.value,
      requiredFields: before?.requiredFields ?? [],
    };
    await putDraft({ tx, store: ctx.store }, { ...where, input: next, ...(goesOn ? {} : { credential: null }) });
    return ok({ value: { draftId }, chain: practiceId, entries: [] });
  });
}

async function activeInput(
  tx: Parameters<typeof routesInForce>[0],
  practiceId: string,
  payerId: string,
): Promise<DraftInput | undefined> {
  const active = (await routesInForce(tx, practiceId)).get(payerId);
  if (!active) return undefined;
  const { version: _, hasCredential, requiredFields, settings, ...rest } = active;
  return {
    ...rest,
    payerId,
    requiredFields: [...requiredFields],
    settings: { ...settings },
    keepCredential: hasCredential,
  };
}

export type DraftAccess = DraftId & {
  readonly url?: string | undefined;
  readonly settings?: Readonly<Record<string, string>> | undefined;
  readonly requiredFields?: readonly string[] | undefined;
  readonly credential?: string | undefined;
  /** Takes away the credential that the draft or the active connection has. */
  readonly removeCredential?: boolean | undefined;
};

/**
 * Where the payer is reached and with which credential: the second step. Everything is checked as it will be when the
 * connection becomes active. A credential is kept sealed; one of the active connection goes on to the same server alone.
 */
export async function setDraftAccess(
  ctx: Context<PersonActor>,
  { practiceId, draftId, credential, removeCredential = false, ...access }: DraftAccess,
): Promise<Result<{ connector: string }, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    const where = whereOf(ctx, { practiceId, draftId });
    const draft = await findDraft(tx, where);
    if (!draft) return gone;
    const replaced = credential !== undefined || draft.hasCredential || removeCredential;
    const keepCredential = draft.input.keepCredential && !replaced;
    const given = { ...draft.input, ...access, keepCredential, ...(credential === undefined ? {} : { credential }) };
    const read = validate(routeInput, { ...given, requiredFields: [...(given.requiredFields ?? [])] });
    if (!read.ok) return read;
    const before = (await routesInForce(tx, practiceId)).get(draft.input.payerId);
    const problem = keptCredentialProblem(before, read.value);
    if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "credential", problem }] });
    const { credential: typed, ...input } = read.value;
    await putDraft(
      { tx, store: ctx.store },
      {
        ...where,
        input,
        ...(removeCredential ? { credential: null } : typed === undefined ? {} : { credential: typed }),
      },
    );
    return ok({ value: { connector: input.connector }, chain: practiceId, entries: [] });
  });
}

export type ShownDraft = {
  readonly practice: PracticeRecord;
  readonly draft: RouteDraft;
  /** The version of the connection that is active now; undefined where there is none. */
  readonly activeVersion: number | undefined;
};

/** The actor's own draft; never its credential. */
export async function showRouteDraft(
  ctx: Context<PersonActor>,
  id: DraftId,
): Promise<Result<ShownDraft, AdminRefusal>> {
  const { practiceId } = id;
  if (!mayAdminister(ctx.actor, { practiceId })) return deny(ctx, "routes");
  const practice = await findPractice(ctx.store, practiceId);
  const draft = await findDraft(ctx.store, whereOf(ctx, id));
  if (!practice || !draft) return gone;
  const active = await resolveRoute(ctx.store, practiceId, draft.input.payerId);
  return ok({ practice, draft, activeVersion: active?.configured ? active.destination.version : undefined });
}

/** The actor's own drafts of the practice, the newest first; never their credentials. */
export async function listRouteDrafts(
  ctx: Context<PersonActor>,
  { practiceId }: { readonly practiceId: string },
): Promise<Result<readonly RouteDraft[], AdminRefusal>> {
  if (!mayAdminister(ctx.actor, { practiceId })) return deny(ctx, "routes");
  return ok(await listDrafts(ctx.store, { practiceId, madeBy: ctx.actor.id }));
}

/** Deletes the actor's own draft with its credential. An active connection to the payer stays as it is. */
export async function discardRouteDraft(ctx: Context<PersonActor>, id: DraftId): Promise<Result<null, AdminRefusal>> {
  const { practiceId } = id;
  return administer(ctx, { practiceId }, async (tx) => {
    const draft = await findDraft(tx, whereOf(ctx, id));
    if (!draft) return gone;
    await deleteDraft(tx, { id: draft.id, practiceId });
    return ok({ value: null, chain: practiceId, entries: [] });
  });
}

/**
 * Tests what the draft holds as a submission will use it, without any patient data, and keeps the result until the draft
 * changes. Refuses manual submission, which has no connection to test.
 */
export async function testRouteDraft(ctx: Context<PersonActor>, id: DraftId): Promise<Result<DraftTest, AdminRefusal>> {
  const found = await showRouteDraft(ctx, id);
  if (!found.ok) return found;
  const { practice, draft } = found.value;
  const { input } = draft;
  const { testConnection } = connectors[input.connector];
  if (!testConnection)
    return refuse({ type: "invalid", issues: [{ field: "connector", problem: practiceProblems.nothingToTest }] });
  const complete = validate(routeInput, input);
  if (!complete.ok) return complete;
  const credential = await credentialOf(ctx, draft, complete.value);
  if (!credential.ok) return credential;
  const environment = environmentOf(input, practice);
  const destination = { ...input, environment, routeId: "", version: 0 };
  const steps = await testConnection(destination, {
    credential: credential.value,
    route: { environment, settings: input.settings },
    signal: AbortSignal.timeout(testMs),
  });
  const failed = steps.find((step) => !step.ok);
  const test = { ok: failed === undefined, steps };
  return administer(ctx, { practiceId: id.practiceId }, async (tx) => {
    await keepDraftTest(tx, draft, test);
    const detail = { payer: input.payerId, draft: true, ok: test.ok, ...(failed ? { failed: failed.name } : {}) };
    return ok({ value: test, chain: id.practiceId, entries: [{ act: "route.tested", detail }] });
  });
}

/**
 * The credential of the draft, or that of the active connection where it goes on. That connection may be another than
 * when the draft was made, so its server is compared once more.
 */
async function credentialOf(
  { store }: Ctx,
  { id, practiceId, input }: RouteDraft,
  next: RouteInput,
): Promise<Result<string | undefined, AdminRefusal>> {
  const typed = await draftCredential(store, { id, practiceId });
  if (typed !== undefined || !input.keepCredential) return ok(typed);
  const active = await resolveRoute(store, practiceId, input.payerId);
  if (!active || active.destination.routeId === "") return ok(undefined);
  const { destination } = active;
  const { credential } = await loadAccess(store, destination.routeId);
  const problem = keptCredentialProblem({ ...destination, hasCredential: credential !== undefined }, next);
  return problem === undefined
    ? ok(credential)
    : refuse({ type: "invalid", issues: [{ field: "credential", problem }] });
}

/**
 * Makes the draft the active connection, exactly as it was tested, and deletes it. Without a passing test it takes
 * `untested`. Everything else is checked and done as {@link setRoute} does.
 */
export async function activateRouteDraft(
  ctx: Context<PersonActor>,
  { untested, ...id }: DraftId & { readonly untested: boolean },
): Promise<Result<{ readonly payerId: string; readonly superseded: number }, AdminRefusal>> {
  const found = await showRouteDraft(ctx, id);
  if (!found.ok) return found;
  const { draft } = found.value;
  const { practiceId, input, test } = draft;
  if (!untested && test?.ok !== true && connectors[input.connector].testConnection)
    return refuse({
      type: "invalid",
      issues: [{ field: "untested", problem: practiceProblems.tickWithoutTest }],
    });
  const credential = await draftCredential(ctx.store, { id: draft.id, practiceId });
  const set = await setRoute(ctx, {
    ...{ practiceId, ...input },
    ...(credential === undefined ? {} : { credential, keepCredential: false }),
  });
  if (!set.ok) return set;
  const { payerId } = input;
  const active = await resolveRoute(ctx.store, practiceId, payerId);
  return administer(ctx, { practiceId }, async (tx) => {
    await deleteDraft(tx, { id: draft.id, practiceId });
    const routeId = active?.destination.version === set.value.version ? active.destination.routeId : undefined;
    if (test && routeId !== undefined) await keepRouteTest(tx, { routeId, practiceId, actor: ctx.actor, ...test });
    return ok({ value: { payerId, superseded: set.value.superseded }, chain: practiceId, entries: [] });
  });
}
