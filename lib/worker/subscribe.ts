import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { ConnectorName } from "#lib/payer/model/destination";
import { connectors } from "#lib/payer/connectors";
import type { SubscriptionResult } from "#lib/payer/connector";
import type { Store } from "#lib/db/db";
import { loadAccess } from "#lib/practice/store/resolved-route";
import { forgetEndedSubscription, claimEndedSubscriptions } from "#lib/payer/inbox/store/ended-subscriptions";
import {
  dueSubscriptions,
  keepProblem,
  keepSubscribed,
  claimSubscription,
  type Unsubscribed,
} from "#lib/payer/inbox/store/subscriptions";

type Settings = { readonly log: Logger; readonly publicUrl: string };

/** The longest a payer may take to answer a Subscription: 30 s. */
const deadlineMs = 30_000;

// Safe because `connectors` has exactly these keys, by type.
const pushing = (Object.keys(connectors) as ConnectorName[]).filter((name) => connectors[name].pushes !== undefined);

/** Asks each payer whose route wants pushes to push, once; what it refuses is tried again ever later. */
export async function subscribeRoutes(store: Store, settings: Settings): Promise<void> {
  for (const route of await dueSubscriptions(store, pushing)) {
    if (connectors[route.connector].pushes?.wanted(route.settings)) await subscribeRoute(store, settings, route);
  }
}

/** Tells each payer whose subscription ended here to stop; after the last try it is left as it is. */
export async function unsubscribeRoutes(store: Store, { log }: Pick<Settings, "log">): Promise<void> {
  for (const { id, routeId, remoteId, connector, url, isLastTry } of await claimEndedSubscriptions(store)) {
    const access = await loadAccess(store, routeId);
    const transport = { ...access, signal: AbortSignal.timeout(deadlineMs) };
    const told = await connectors[connector].pushes?.unsubscribe({ url, id: remoteId }, transport);
    if (told === true || isLastTry) await forgetEndedSubscription(store, id);
    log[told === true ? "info" : "warn"]({ routeId, told: told === true, isLastTry }, "told the payer to stop pushing");
  }
}

async function subscribeRoute(store: Store, { log, publicUrl }: Settings, route: Unsubscribed): Promise<void> {
  const secret = await claimSubscription(store, route, randomBytes(32).toString("base64url"));
  if (secret === undefined) return;
  const subscribed = await ask(store, { publicUrl, secret }, route);
  const { routeId } = route;
  if (subscribed.ok) await keepSubscribed(store, { ...route, remoteId: subscribed.id });
  else await keepProblem(store, { routeId, problem: subscribed.problem });
  log.info({ routeId, subscribed: subscribed.ok }, "asked the payer to push");
}

async function ask(
  store: Store,
  { publicUrl, secret }: { publicUrl: string; secret: string },
  route: Unsubscribed,
): Promise<SubscriptionResult> {
  const near = route.url?.startsWith("http:") === true;
  if (!near && !publicUrl.startsWith("https:"))
    return { ok: false, problem: "PUBLIC_URL is not an https address, so the payer could not reach this service." };
  const { pushes } = connectors[route.connector];
  if (!pushes) return { ok: false, problem: "The route's connector hears no pushes." };
  const endpoint = `${publicUrl.replace(/\/+$/, "")}/api/payers/${route.routeId}/notifications`;
  const access = await loadAccess(store, route.routeId);
  return pushes.subscribe(route, { endpoint, secret }, { ...access, signal: AbortSignal.timeout(deadlineMs) });
}
