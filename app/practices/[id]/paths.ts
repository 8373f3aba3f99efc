export type PracticeTab = "overview" | "connections" | "payers" | "rules" | "providers" | "members" | "history";

/** Where a tab of a practice's page is. */
export function practicePath(practiceId: string, tab: PracticeTab = "overview"): string {
  const path = `/practices/${encodeURIComponent(practiceId)}`;
  return tab === "overview" ? path : `${path}/${tab}`;
}

export function payersPath(practiceId: string): string {
  return practicePath(practiceId, "payers");
}

/** The page of a payer of the directory. */
export function payerPath(practiceId: string, payerId: string): string {
  return `${practicePath(practiceId)}/payer?payer=${encodeURIComponent(payerId)}`;
}

/** The page for a new payer connection, which begins with what is known of the payer, or for a change of the one there is. */
export function newRoutePath(practiceId: string, payerId?: string): string {
  const path = `${practicePath(practiceId)}/new-route`;
  return payerId === undefined ? path : `${path}?payer=${encodeURIComponent(payerId)}`;
}

export function routePath(practiceId: string, payerId: string): string {
  return `${practicePath(practiceId)}/route?payer=${encodeURIComponent(payerId)}`;
}

/** A step of a payer connection that is not active yet. */
export function draftPath(practiceId: string, draftId: string, step: string): string {
  return `${newRoutePath(practiceId)}?draft=${encodeURIComponent(draftId)}&step=${step}`;
}
