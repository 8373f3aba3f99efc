const prefix = "draft ";

/** What was typed and not sent yet, in this tab alone. A browser that keeps nothing loses nothing else. */
export function keptDraft(place: string): string | undefined {
  return storage()?.getItem(prefix + place) ?? undefined;
}

export function keepDraft(place: string, text: string): void {
  try {
    storage()?.setItem(prefix + place, text);
  } catch {
    // Full or forbidden: the words are still in their field.
  }
}

/** Forgets every draft of this tab, but for those of a gate that is still open. */
export function dropDrafts({ but }: { readonly but?: string | undefined } = {}): void {
  const kept = storage();
  for (const name of Object.keys(kept ?? {})) {
    const ofGate = but !== undefined && but !== "" && name.startsWith(`${prefix}${but} `);
    if (name.startsWith(prefix) && !ofGate) kept?.removeItem(name);
  }
}

function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
