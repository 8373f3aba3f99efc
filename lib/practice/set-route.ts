import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { RouteSettings } from "#lib/payer/model/destination";
import { lockPractice, type PracticeRecord } from "#lib/practice/shared/practices";
import { insertRoute, routesInForce } from "#lib/practice/store/admin-routes";
import type { Tx } from "#lib/db/db";
import { recountPayerClocks } from "#lib/task/shared/payer-clocks";
import { endSubscriptions } from "#lib/payer/inbox/shared/subscriptions";
import { rerouteTasks } from "#lib/submission/reroute-tasks";
import { administerProved, type Entry } from "#lib/access/administer";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import { keepsCredential, keptCredentialProblem, routeInput, type RouteInput } from "./route-input.ts";
import { findPayer } from "#lib/practice/shared/find-payer";
import { withOfferedNotifications } from "./offered-notifications.ts";
import { isPlainHttp } from "./route-url.ts";

export type SetRoute = {
  readonly practiceId: string;
  readonly payerId: string;
  readonly payerName?: string | undefined;
  readonly connector: string;
  readonly url?: string | undefined;
  /**
   * Defaults to the practice's environment; to `test` where the address is plain http, which reaches this machine
   * alone.
   */
  readonly environment?: "live" | "test" | undefined;
  /** The connector's settings, by name. */
  readonly settings?: RouteSettings | undefined;
  /** Decides the payer's legal time to decide; unknown where it is left out. */
  readonly lineOfBusiness?: string | undefined;
  /** The fields that the payer requires beyond those of the connector, as JSON pointers. */
  readonly requiredFields?: readonly string[] | undefined;
  /** A bearer credential; it is stored sealed and never shown again. */
  readonly credential?: string | undefined;
  /** Without a new credential, keeps the stored one, as long as it goes to the same server. */
  readonly keepCredential?: boolean | undefined;
};

/**
 * Saves and activates a new version of a practice's payer connection. Open gates and unclaimed releases of the old
 * version are superseded by gates on this one, because a release covers the address that its bytes go to.
 */
export async function setRoute(
  ctx: Context,
  { practiceId, ...input }: SetRoute,
): Promise<Result<{ version: number; environment: "live" | "test"; superseded: number }, AdminRefusal>> {
  const set = await administerProved(ctx, { practiceId }, async (tx) => {
    const route = validate(routeInput, input);
    if (!route.ok) return route;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const before = (await routesInForce(tx, practiceId)).get(route.value.payerId);
    const problem = keptCredentialProblem(before, route.value);
    if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "credential", problem }] });
    const { entries, ...value } = await putRoute(tx, practice, route.value);
    return ok({ value, chain: practiceId, entries });
  });
  if (!set.ok) return set;
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  const superseded = await rerouteTasks(worker, { practiceId, payerId: input.payerId });
  return ok({ ...set.value, superseded });
}

/**
 * Writes the next version of the payer connection. The caller has locked the practice and checked the input.
 * Subscriptions with a server that the new version no longer reaches end with the commit.
 */
export async function putRoute(
  tx: Tx,
  practice: Pick<PracticeRecord, "id" | "environment" | "npi">,
  given: RouteInput,
): Promise<{ version: number; environment: "live" | "test"; entries: readonly Entry[] }> {
  const { keepCredential: _, ...asGiven } = given;
  const route = { ...asGiven, settings: { ...(await settingsToBegin(tx, practice, given)) } };
  const { url, payerId, connector, settings, lineOfBusiness, requiredFields } = route;
  const credential = route.credential ?? (keepsCredential(given) ? { kept: true as const } : undefined);
  const practiceId = practice.id;
  const environment = environmentOf(route, practice);
  const { version, hasCredential } = await insertRoute(tx, { ...route, practiceId, environment, credential });
  await recountPayerClocks(tx, { practiceId, payerId });
  const ended = await endSubscriptions(tx, { practiceId, payerId, except: { connector, url, environment } });
  const detail = {
    payer: payerId,
    version,
    connector,
    url: url ?? null,
    environment,
    settings,
    lineOfBusiness: lineOfBusiness ?? null,
    credential: hasCredential,
    ...(requiredFields.length > 0 ? { requiredFields } : {}),
  };
  const end = { act: "route.subscription-ended", detail: { payer: payerId, ended } } as const;
  return { version, environment, entries: [{ act: "route.set", detail }, ...(ended > 0 ? [end] : [])] };
}

/**
 * A connection that is new begins with the notifications that the payer offers, if the practice's payer directory says
 * that it does. A new version of one has the settings that it is given.
 */
async function settingsToBegin(
  tx: Tx,
  { id: practiceId, npi }: Pick<PracticeRecord, "id" | "npi">,
  { payerId, connector, settings }: RouteInput,
): Promise<RouteSettings> {
  const listed = await findPayer(tx, { practiceId, payerId });
  if (!listed?.supports.includes("subscriptions")) return settings;
  const isNew = !(await routesInForce(tx, practiceId)).has(payerId);
  return isNew ? withOfferedNotifications(settings, { connector, npi }) : settings;
}

/** The environment of the input; otherwise test for plain http; otherwise the practice's. */
export function environmentOf(
  { environment, url }: Pick<RouteInput, "environment" | "url">,
  practice: Pick<PracticeRecord, "environment">,
): "live" | "test" {
  return environment ?? (url !== undefined && isPlainHttp(url) ? "test" : practice.environment);
}
