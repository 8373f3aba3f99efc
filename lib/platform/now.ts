const shared = globalThis as { priorAuthorizationAheadMs?: number };

/**
 * The database's time, which every process and every row goes by: whatever a process's own clock says, what it wrote and
 * what others wrote can be compared. It is what the database said last and what has passed since, so it runs behind by as
 * long as that answer took and is never ahead. Until a database was heard, and in a browser, it is the own clock.
 */
export function nowMs(): number {
  const aheadMs = shared.priorAuthorizationAheadMs;
  return aheadMs === undefined ? Date.now() : performance.now() + aheadMs;
}

/** The same as an instant. */
export function now(): Date {
  return new Date(nowMs());
}

/** Told of what a database just said, again every few seconds; Next bundles this module apart, and both go by it. */
export function setDatabaseTime(said: Date): void {
  shared.priorAuthorizationAheadMs = said.getTime() - performance.now();
}
