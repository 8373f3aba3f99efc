import next from "next";
import { openLongCallThread } from "#lib/a2a/long-call-thread";
import { closeSharedDeps, logFailedRequest, sharedDeps } from "#lib/a2a/admit/shared-deps";
import { isSecure } from "#lib/person/session/cookie-name";
import { lookAtSession } from "#lib/person/session/look-at-session";
import { sessionTokens } from "#lib/person/session/session-token";
import { writeDelayedTries } from "#lib/person/sign-in/delayed-tries";
import { env, trustedProxies } from "#lib/platform/env";
import { methodNames } from "#lib/a2a/methods";
import { a2aListener, pushListener, tokenListener } from "#lib/a2a/listener";
import { standInFront, tellArrival } from "#lib/platform/http/arrival-headers";
import { drainable } from "#lib/platform/http/drain";
import { createFront, nothingHere } from "#lib/platform/http/front";
import { tellingRefusals } from "#lib/platform/http/refused-requests";
import { largeForms } from "#lib/platform/http/large-forms";
import { unreadPosts } from "#lib/platform/http/unread-posts";
import { limitedPages } from "#lib/platform/http/page-limits";
import { pageHeaders, transportSecurity } from "#lib/platform/http/page-headers";
import { createPersonOf } from "#lib/platform/http/person-of";
import { wholeForms } from "#lib/platform/http/whole-forms";
import { showNoFailures } from "#lib/platform/metrics/instruments";
import { serveMetrics } from "#lib/platform/metrics/serve-metrics";
import { helpAddress } from "#lib/a2a/help-address";
import { sharedHealth, showSharedDatabase } from "#lib/a2a/shared-health";
import { liveListener, readyListener } from "#lib/a2a/health-listener";
import { closeSharedHub } from "#lib/queue/live/shared-hub";
import { collectBetween } from "#lib/platform/clever/collect-between";
import { nextEnvironment } from "#lib/platform/process/next-environment";
import { onShutdown } from "#lib/platform/process/on-shutdown";
import { writeLine } from "#lib/platform/log";
import { sharedTokenDeps } from "#lib/channel/token/shared-token-deps";
import { logRefused, onShutdownTellBalancers, proveEnvironment } from "./serving.ts";

const { HOST: hostname, PORT: port, NODE_ENV, PAGES_PER_SECOND: perSecond } = env();
const dev = NODE_ENV === "development";
standInFront();
await proveEnvironment();
const deps = sharedDeps();
const { log, store } = deps;
const health = sharedHealth();

// oxlint-disable-next-line node/no-process-env -- Next is told some things by its environment alone
Object.assign(process.env, nextEnvironment({ folder: import.meta.dirname, secret: env().NEXTAUTH_SECRET ?? "" }));

// Quiet because Next would print errors as they are, with what they hold; `instrumentation.ts` logs them.
const pages = next({ dev, quiet: !dev, hostname, port, dir: import.meta.dirname });
await pages.prepare();
const showPage = pages.getRequestHandler();
const pageBegins = collectBetween();

const servePage = pageHeaders(
  largeForms(
    unreadPosts((incoming, outgoing) => {
      pageBegins(incoming, outgoing);
      return showPage(incoming, outgoing);
    }),
  ),
  { development: dev, publicUrl: env().PUBLIC_URL, proxies: trustedProxies() },
);

const onOverRate = (refused: { readonly subject: string; readonly count: number }) =>
  log.info(refused, "more was asked for at once than one may");

const serveRest = tellingRefusals((incoming, outgoing) => {
  tellArrival(incoming);
  return servePage(incoming, outgoing);
}, logRefused);

// So many seconds' worth of requests may come at once: a page and all it draws, in many tabs.
const rated = { perSecond, burstS: 15, onRefused: onOverRate };
const look = (sessionId: string) => void lookAtSession(store, sessionId);
const personOf = createPersonOf({ tokens: sessionTokens(), look, ...rated });

const onThreadError = (error: unknown) => log.error({ err: error }, "the thread for long calls failed");
const longCallThread = openLongCallThread({ load: deps.load, writeLine: writeLine(), onError: onThreadError });
const a2a = a2aListener({ ...deps, longCallThread });
// In development every file of a page comes alone.
const rest = wholeForms(dev ? serveRest : limitedPages(serveRest, { personOf, ...rated }), personOf);
const help = helpAddress();
const server = createFront({
  byPath: {
    "/api/a2a": a2a,
    // Next would redirect this one, and not every client follows with its body.
    "/api/a2a/": a2a,
    "/api/token": tellingRefusals(tokenListener(sharedTokenDeps()), logRefused),
    "/health/live": liveListener,
    "/health/ready": readyListener(health),
  },
  byPrefix: {
    "/api/payers/": tellingRefusals(pushListener(deps), logRefused),
    "/api/auth/": rest,
    "/api/": tellingRefusals(nothingHere(help), logRefused),
  },
  rest,
  headers: isSecure() ? new Map(Object.entries(transportSecurity)) : undefined,
  // Next's development server reloads pages over a web socket; nothing else here is one.
  upgrades: ({ url }) => dev && url?.startsWith("/_next/") === true,
  onError: (error, requestId) => logFailedRequest({ requestId, err: error }, "a request failed"),
  onRefused: (status, requestId) => logRefused({ status, requestId }),
  help,
});

const drain = drainable(server);

process.on("unhandledRejection", (error) => log.error({ err: error }, "a promise failed with nobody waiting for it"));

server.once("error", (error) => {
  log.fatal({ err: error, hostname, port }, "the server cannot listen");
  process.exit(1);
});

server.listen(port, hostname, () => {
  log.info({ hostname, port }, "listening");
  process.send?.("ready");
});

const { METRICS_PORT: metricsPort, METRICS_HOST: metricsHost } = env();
showNoFailures(methodNames);
const metrics =
  metricsPort === undefined
    ? undefined
    : await serveMetrics({ host: metricsHost, port: metricsPort, onRead: showSharedDatabase });

if (metrics) onShutdown(metrics.stop);
onShutdown(closeSharedDeps);
onShutdown(() => deps.book.write());
onShutdown(longCallThread.close);
onShutdown(() => writeDelayedTries(store));
onShutdown(() => pages.close());
onShutdown(drain);
// Before the drain, which would cut the answers that are held back, and the streams, which would keep it waiting.
onShutdown(deps.watch.close);
onShutdown(closeSharedHub);
// First of all, because calls are served meanwhile.
onShutdownTellBalancers();
