import next from "next";
import { openAside } from "#lib/a2a/aside";
import { clientAddress } from "#lib/platform/http/client-address";
import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { proveBreachedFile } from "#lib/person/sign-in/breached-passwords";
import { isSecure } from "#lib/person/session/cookie-name";
import { sessionTokens } from "#lib/person/session/session-token";
import { writeWaiting } from "#lib/person/sign-in/waiting-tries";
import { env, trustedProxies } from "#lib/platform/env";
import { healthOf } from "#lib/a2a/health";
import { a2aListener, pushListener, tokenListener } from "#lib/a2a/listener";
import { drainable } from "#lib/platform/http/drain";
import { createFront } from "#lib/platform/http/front";
import { tellingRefusals, type RefusedRequest } from "#lib/platform/http/refused-requests";
import { largeForms } from "#lib/platform/http/large-forms";
import { unreadPosts } from "#lib/platform/http/unread-posts";
import { limitedPages } from "#lib/platform/http/page-limits";
import { pageHeaders } from "#lib/platform/http/page-headers";
import { createPersonOf } from "#lib/platform/http/person-of";
import { wholeForms } from "#lib/platform/http/whole-forms";
import { liveListener, readyListener } from "#lib/a2a/health-listener";
import { closeSharedHub } from "#lib/queue/live/shared-hub";
import { placeOf } from "#lib/platform/http/place";
import { collectBetween } from "#lib/platform/process/collect-between";
import { onShutdown } from "#lib/platform/process/on-shutdown";
import { writeLine } from "#lib/platform/log";
import { logWhatIsPrinted } from "#lib/platform/printed-lines";
import { sharedTokenDeps } from "#lib/channel/token/shared-token-deps";

const { HOST: hostname, PORT: port, NODE_ENV, PAGES_PER_SECOND: perSecond } = env();
for (const name of ["NEXTAUTH_SECRET", "RECEIPT_SIGNING_KEY", "CHANNEL_KEY_PEPPER"] as const) {
  if (env()[name] === undefined) throw new Error(`The environment is incomplete: ${name} is not set`);
}
const dev = NODE_ENV === "development";
const deps = sharedDeps();
const { log, store } = deps;
if (!dev) logWhatIsPrinted(log);
await store.keys.prove();
await proveBreachedFile();
const health = healthOf(store, { mail: env().SMTP_URL !== undefined });

// Quiet because Next would print errors as they are, with what they hold; `instrumentation.ts` logs them.
const pages = next({ dev, quiet: !dev, hostname, port, dir: import.meta.dirname });
await pages.prepare();
const showPage = pages.getRequestHandler();
const pageBegins = collectBetween();

// What was sent is for no log: of its target only the words that are ours (OWASP ASVS 5.0, 16.3.3).
const onRefused = ({ target, ...refused }: RefusedRequest) =>
  log.info({ ...refused, place: target === undefined ? undefined : placeOf(target) }, "a request was refused");

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
  // Over whatever the request says: pages know a client's address, and where they are, from here alone.
  incoming.headers["x-client-address"] = clientAddress(incoming) ?? "";
  incoming.headers["x-place"] = placeOf(incoming.url ?? "");
  return servePage(incoming, outgoing);
}, onRefused);

// So many seconds' worth of requests may come at once: a page and all it draws, in many tabs.
const rated = { perSecond, burstS: 15, onRefused: onOverRate };
const personOf = createPersonOf({ tokens: sessionTokens(), ...rated });

const onAsideError = (error: unknown) => log.error({ err: error }, "the thread for long calls failed");
const aside = openAside({ load: deps.load, writeLine: writeLine(), onError: onAsideError });
const a2a = a2aListener({ ...deps, aside });
const server = createFront({
  byPath: {
    "/api/a2a": a2a,
    // Next would redirect this one, and not every client follows with its body.
    "/api/a2a/": a2a,
    "/api/token": tellingRefusals(tokenListener(sharedTokenDeps()), onRefused),
    "/health/live": liveListener,
    "/health/ready": readyListener(health),
  },
  byPrefix: { "/api/payers/": tellingRefusals(pushListener(deps), onRefused) },
  // In development every file of a page comes alone.
  rest: wholeForms(dev ? serveRest : limitedPages(serveRest, { personOf, ...rated }), personOf),
  headers: isSecure() ? new Map([["strict-transport-security", "max-age=63072000; includeSubDomains"]]) : undefined,
  // Next's development server reloads pages over a web socket; nothing else here is one.
  upgrades: ({ url }) => dev && url?.startsWith("/_next/") === true,
  onError: (error) => log.error({ err: error }, "a request failed"),
  onRefused: (status) => onRefused({ status }),
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

onShutdown(() => store.close());
onShutdown(() => deps.book.write());
onShutdown(aside.close);
onShutdown(() => writeWaiting(store));
onShutdown(() => pages.close());
onShutdown(() => {
  health.leave();
  return drain();
});
// First of all: a stream would keep its connection open until the drain cuts it.
onShutdown(closeSharedHub);
