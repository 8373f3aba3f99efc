import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { RouteSettings } from "#lib/payer/model/destination";
import { lockPractice, type PracticeRecord } from "#lib/practice/store/admin-practices";
import { insertRoute, routesInForce } from "#lib/practice/store/admin-routes";
import type { Store, Tx } from "#lib/db/db";
import { recountPayerClocks } from "#lib/task/store/payer-clocks";
import { endSubscriptions } from "#lib/payer/inbox/store/subscriptions";
import { rerouteTasks } from "#lib/submission/reroute-tasks";
import { administerProved, type Entry } from "#lib/access/administer";
import { checked } from "#lib/access/checked";
import type { AdminRefusal } from "#lib/access/refusal";
import { keeps, keptProblem, routeInput, type RouteInput } from "./route-input.ts";
import { isPlainHttp } from "./route-url.ts";

export type SetRoute = {
  readonly practiceId: string;
  readonly payerId: string;
  readonly payerName?: string | undefined;
  readonly connector: string;
  readonly url?: string | undefined;
  /** Left out: the practice's own; `test` where the address is plain http, which only reaches this machine. */
  readonly environment?: "live" | "test" | undefined;
  /** What the connector lets a route choose, by name. */
  readonly settings?: RouteSettings | undefined;
  /** Whose decision-time rules bind the payer here; not known where it is left out. */
  readonly lineOfBusiness?: string | undefined;
  /** What the payer wants of every request beyond what the connector needs, as JSON pointers. */
  readonly requiredFields?: readonly string[] | undefined;
  /** A bearer credential; kept sealed and never shown again. */
  readonly credential?: string | undefined;
  /** Where no credential is given, the one of the version before goes on, as long as it goes to the same place. */
  readonly keepCredential?: boolean | undefined;
};

/**
 * Puts a new version of a practice's route to a payer in force. Open gates and
 * unclaimed releases on the old one are superseded by gates on this one, since
 * a release covers the address its bytes go to.
 */
export async function setRoute(
  ctx: Context,
  { practiceId, ...input }: SetRoute,
): Promise<Result<{ version: number; environment: "live" | "test"; superseded: number }, AdminRefusal>> {
  const set = await administerProved(ctx, { practiceId }, async (tx) => {
    const route = checked(routeInput, input);
    if (!route.ok) return route;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const before = (await routesInForce(tx, practiceId)).get(route.value.payerId);
    const problem = keptProblem(before, route.value);
    if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "credential", problem }] });
    const { entries, ...value } = await putRoute({ tx, store: ctx.store }, practice, route.value);
    return ok({ value, chain: practiceId, entries });
  });
  if (!set.ok) return set;
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  const superseded = await rerouteTasks(worker, { practiceId, payerId: input.payerId });
  return ok({ ...set.value, superseded });
}

/**
 * Writes the route's next version; the caller holds the practice and has checked what the route is. Subscriptions with
 * a server that it no longer reaches end with the commit.
 */
export async function putRoute(
  { tx, store }: { readonly tx: Tx; readonly store: Store },
  practice: Pick<PracticeRecord, "id" | "environment">,
  given: RouteInput,
): Promise<{ version: number; environment: "live" | "test"; entries: readonly Entry[] }> {
  const { keepCredential: _, ...route } = given;
  const { url, payerId, connector, settings, lineOfBusiness, requiredFields } = route;
  const credential = route.credential ?? (keeps(given) ? { kept: true as const } : undefined);
  const practiceId = practice.id;
  const environment = environmentOf(route, practice);
  const { version, hasCredential } = await insertRoute(
    { tx, store },
    { ...route, practiceId, environment, credential },
  );
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

/** The route's own word, else test for plain http, else the practice's. */
export function environmentOf(
  { environment, url }: Pick<RouteInput, "environment" | "url">,
  practice: Pick<PracticeRecord, "environment">,
): "live" | "test" {
  return environment ?? (url !== undefined && isPlainHttp(url) ? "test" : practice.environment);
}
