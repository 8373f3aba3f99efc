export type PersonTab = "overview" | "roles" | "sessions" | "history";

/** Where a tab of a person's page is. */
export function personPath(id: string, tab: PersonTab = "overview"): string {
  const path = `/people/${encodeURIComponent(id)}`;
  return tab === "overview" ? path : `${path}/${tab}`;
}
