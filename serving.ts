import { setTimeout } from "node:timers/promises";
import { closeSharedDeps, sharedDeps } from "#lib/a2a/admit/shared-deps";
import { refuseIfUnfit } from "#lib/a2a/proven";
import { sharedHealth } from "#lib/a2a/shared-health";
import { proveBreachedFile } from "#lib/person/sign-in/breached-passwords";
import { writeDelayedTries } from "#lib/person/sign-in/delayed-tries";
import { env, trustedProxies } from "#lib/platform/env";
import { placeOf } from "#lib/platform/http/place";
import { tellPlainArrivals } from "#lib/platform/http/plain-arrivals";
import type { RefusedRequest } from "#lib/platform/http/refused-requests";
import { logWhatIsPrinted } from "#lib/platform/printed-lines";
import { startTracing } from "#lib/platform/tracing/start-tracing";
import { onShutdown } from "#lib/platform/process/on-shutdown";
import { closeSharedHub } from "#lib/queue/live/shared-hub";

/** Fails if this process lacks a setting, or a secret does not fit the database, before anybody is served. */
export async function proveEnvironment(): Promise<void> {
  for (const name of ["NEXTAUTH_SECRET", "RECEIPT_SIGNING_KEY", "CHANNEL_KEY_PEPPER"] as const) {
    if (env()[name] === undefined) throw new Error(`The environment is incomplete: ${name} is not set`);
  }
  onShutdown(await startTracing("server"));
  const { log, store } = sharedDeps();
  if (env().NODE_ENV !== "development") logWhatIsPrinted(log);
  await store.keys.prove();
  await refuseIfUnfit(store);
  await proveBreachedFile();
}

/** What was sent is for no log: of its target only the words that are ours (OWASP ASVS 5.0, 16.3.3). */
export function logRefused({ target, ...refused }: RefusedRequest): void {
  const place = target === undefined ? undefined : placeOf(target);
  sharedDeps().log.info({ ...refused, place }, "a request was refused");
}

/** What plain Next is given of the work of `server.ts`. docs/decisions/069 says what it is not. */
export async function preparePlainNext(): Promise<void> {
  tellPlainArrivals({ proxies: trustedProxies(), onRefused: logRefused });
  await proveEnvironment();
  const { store, book, watch } = sharedDeps();
  onShutdown(closeSharedDeps);
  onShutdown(() => book.write());
  onShutdown(() => writeDelayedTries(store));
  onShutdown(watch.close);
  onShutdown(closeSharedHub);
  onShutdownTellBalancers();
}

/** Once this process is to end it says that it is not ready, and goes on serving until balancers have seen that. */
export function onShutdownTellBalancers(): void {
  const waitMs = env().DRAIN_DELAY_S * 1_000;
  const tell = () => {
    sharedHealth().markStopping();
    return setTimeout(waitMs);
  };
  onShutdown(tell, { waitMs });
}
