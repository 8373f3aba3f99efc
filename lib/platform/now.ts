const shared = globalThis as { priorAuthorizationAheadMs?: number };

/**
 * The database's time in milliseconds, which all processes use, so that their times can be compared whatever their own clocks
 * show. It is the last time that the database reported plus the time since, so it lags by the duration of that answer and is
 * never ahead. Before the first report, and in a browser, it is the local clock.
 */
export function nowMs(): number {
  const aheadMs = shared.priorAuthorizationAheadMs;
  return aheadMs === undefined ? Date.now() : performance.now() + aheadMs;
}

/** The same as a Date. */
export function now(): Date {
  return new Date(nowMs());
}

/** Sets the time that the database just reported, every few seconds. It is global because Next has its own copy of this module. */
export function setDatabaseTime(at: Date): void {
  shared.priorAuthorizationAheadMs = at.getTime() - performance.now();
}
