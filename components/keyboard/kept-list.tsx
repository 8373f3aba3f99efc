/** The list a case was opened from. It holds ids and an address, nothing of a patient, and is gone with the tab. */
export type ViewList = { readonly href: string; readonly tasks: readonly string[] };

const key = "list";

export function storeList(list: ViewList): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(list));
  } catch {
    // A browser that stores nothing goes back to the whole queue.
  }
}

/** Forgets it, because the next one to sign in in this tab may not see these cases. */
export function dropList(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // A browser that stores nothing has none.
  }
}

/** As text, so that the same list is the same value. */
export function keptListText(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function listOf(text: string | null): ViewList | undefined {
  // Safe because only `storeList` writes it.
  return text === null ? undefined : (JSON.parse(text) as ViewList);
}
