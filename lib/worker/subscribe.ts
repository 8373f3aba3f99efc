import { notSubscribed } from "#lib/messages/reasons/payer";
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { connectorNames } from "#lib/payer/model/destination";
import { connectors } from "#lib/payer/connectors";
import type { SubscriptionResult, Transport } from "#lib/payer/connector";
import type { Store } from "#lib/db/db";
import { findPayer } from "#lib/practice/shared/find-payer";
import { loadAccess } from "#lib/practice/shared/resolved-route";
import { forgetEndedSubscription, claimEndedSubscriptions } from "#lib/payer/inbox/shared/ended-subscriptions";
import {
  dueSubscriptions,
  keepProblem,
  keepSubscribed,
  claimSubscription,
  type DueSubscription,
} from "#lib/payer/inbox/shared/subscriptions";
import { eachAlone } from "#lib/db/each-alone";
import { forPractices } from "#lib/db/for-practices";

type Settings = { readonly log: Logger; readonly publicUrl: string };

/** The longest that a payer may take to answer a Subscription. */
const deadlineMs = 30_000;

const pushConnectors = connectorNames.filter((name) => connectors[name].pushes !== undefined);

/** Subscribes to the notifications of each payer whose route wants them, always or where they are offered. A refused request is repeated at growing intervals. A process that ends begins no other. */
export async function subscribeRoutes(store: Store, settings: Settings, signal?: AbortSignal): Promise<void> {
  await eachAlone(await dueSubscriptions(store, pushConnectors), async (route) => {
    const wanted = connectors[route.connector].pushes?.wanted(route.settings) ?? "no";
    if (signal?.aborted === true || wanted === "no") return;
    await subscribeRoute(forPractices(store, [route.practiceId]), settings, route);
  });
}

/** Deletes ended subscriptions at their payers; gives up after the last try. */
export async function unsubscribeRoutes(
  store: Store,
  { log }: Pick<Settings, "log">,
  signal?: AbortSignal,
): Promise<void> {
  await eachAlone(await claimEndedSubscriptions(store), async (ended) => {
    if (signal?.aborted === true) return;
    const { id, practiceId, routeId, remoteId, connector, url, isLastTry } = ended;
    const own = forPractices(store, [practiceId]);
    const access = await loadAccess(own, routeId);
    const transport = { ...access, signal: AbortSignal.timeout(deadlineMs) };
    const isDeleted = (await connectors[connector].pushes?.unsubscribe({ url, id: remoteId }, transport)) === true;
    if (isDeleted || isLastTry) await forgetEndedSubscription(own, id);
    log[isDeleted ? "info" : "warn"]({ routeId, isDeleted, isLastTry }, "asked the payer to end a subscription");
  });
}

async function subscribeRoute(store: Store, { log, publicUrl }: Settings, route: DueSubscription): Promise<void> {
  const secret = await claimSubscription(store, route, randomBytes(32).toString("base64url"));
  if (secret === undefined) return;
  const subscribed = await requestSubscription(store, { publicUrl, secret }, route);
  const { routeId } = route;
  if (subscribed.ok) await keepSubscribed(store, { ...route, remoteId: subscribed.id });
  else await keepProblem(store, { routeId, problem: subscribed.problem });
  log.info({ routeId, subscribed: subscribed.ok }, "asked the payer for a subscription");
}

async function requestSubscription(
  store: Store,
  { publicUrl, secret }: { publicUrl: string; secret: string },
  route: DueSubscription,
): Promise<SubscriptionResult> {
  const isLocal = route.url?.startsWith("http:") === true;
  if (!isLocal && !publicUrl.startsWith("https:")) return { ok: false, problem: notSubscribed.noHttps };
  const { pushes } = connectors[route.connector];
  if (!pushes) return { ok: false, problem: notSubscribed.noPushes };
  const endpoint = `${publicUrl.replace(/\/+$/, "")}/api/payers/${route.routeId}/notifications`;
  const access = await loadAccess(store, route.routeId);
  const transport = { ...access, signal: AbortSignal.timeout(deadlineMs) };
  const problem = pushes.wanted(route.settings) === "yes" ? undefined : await offerProblem(store, route, transport);
  if (problem !== undefined) return { ok: false, problem };
  return pushes.subscribe(route, { endpoint, secret }, transport);
}

/** Why nothing is asked of a payer that is to notify only where it offers it: the practice's directory says so, or the payer. */
async function offerProblem(store: Store, route: DueSubscription, transport: Transport): Promise<string | undefined> {
  const listed = await findPayer(store, route);
  if (listed?.supports.includes("subscriptions")) return undefined;
  if (listed) return notSubscribed.notListed;
  const offered = await connectors[route.connector].pushes?.offered(route, transport);
  if (offered === undefined) return notSubscribed.unknown;
  return offered ? undefined : notSubscribed.notOffered;
}
