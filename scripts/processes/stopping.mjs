/**
 * The one place that knows that the end has come: a signal, the loss of whoever started us, or a failure.
 * `asked` resolves on the former two and rejects on a failure; `signal` is aborted by all of them.
 */
export function untilStopped() {
  const controller = new AbortController();
  const { promise: requested, resolve, reject } = Promise.withResolvers();
  requested.catch(() => {});
  const stopping = {
    requested,
    signal: controller.signal,
    failure: undefined,
    /** Called when somebody asks again, and no longer wants to wait. */
    onImpatience: () => {},
    failWith(error) {
      if (controller.signal.aborted) return;
      stopping.failure = error;
      controller.abort();
      reject(error);
    },
    /** From here on, whatever ends has been ended by us. */
    stop: () => controller.abort(),
  };
  let signaledAt;
  const ask = () => {
    // The terminal and npm may both pass on one and the same Ctrl-C.
    if (signaledAt !== undefined && performance.now() - signaledAt > 1_000) stopping.onImpatience();
    signaledAt ??= performance.now();
    controller.abort();
    resolve();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, ask);
  followStarter(ask);
  return stopping;
}

/** npm does not always pass on its own end: a killed npm leaves us to another parent. */
function followStarter(ask) {
  process.on("disconnect", ask);
  process.channel?.unref();
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && ask(), 250).unref();
}
