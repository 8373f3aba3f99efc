import { healthWindows, type HealthWindow } from "#lib/queue/desk-health";

export type HealthFilter = { readonly window: HealthWindow; readonly practiceId?: string | undefined };
export type Query = {
  readonly days?: string | string[] | undefined;
  readonly practice?: string | string[] | undefined;
};

/** What the address asks for; what makes no sense in it is as if it were not there. */
export function askedIn({ days, practice }: Query): HealthFilter {
  const window = typeof days === "string" && isWindow(days) ? days : "30";
  return { window, practiceId: typeof practice === "string" && practice !== "" ? practice : undefined };
}

function isWindow(days: string): days is HealthWindow {
  return Object.hasOwn(healthWindows, days);
}

/** The address of the page, or of one of its tables. */
export function healthPath({ window, practiceId }: HealthFilter, table?: string): string {
  const query = new URLSearchParams({ days: window, ...(practiceId === undefined ? {} : { practice: practiceId }) });
  return `/desk-health${table === undefined ? "" : `/${table}`}?${query}`;
}
