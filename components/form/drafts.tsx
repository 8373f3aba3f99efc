const prefix = "draft ";

type Gate = { readonly personId: string; readonly gateId: string | undefined };

/** Where something is typed: by whom, at which gate or about which case, and in which field. */
type DraftPlace = (Gate | { readonly personId: string; readonly taskId: string }) & {
  /** The form and its field. */
  readonly field: string;
};

const ofGate = ({ personId, gateId = "" }: Gate) => `${prefix}${personId} ${gateId} `;

const ofCases = (personId: string) => `${prefix}${personId} case `;

function nameOf(place: DraftPlace): string {
  const before = "taskId" in place ? `${ofCases(place.personId)}${place.taskId} ` : ofGate(place);
  return before + place.field;
}

/** What this person typed there and did not send yet, in this tab alone. A browser that keeps nothing loses nothing else. */
export function keptDraft(place: DraftPlace): string | undefined {
  return storage()?.getItem(nameOf(place)) ?? undefined;
}

export function keepDraft(place: DraftPlace, text: string): void {
  try {
    storage()?.setItem(nameOf(place), text);
  } catch {
    // Full or forbidden: the words are still in their field.
  }
}

export function dropDraft(place: DraftPlace): void {
  storage()?.removeItem(nameOf(place));
}

/** Forgets every draft of this tab, but for this person's at a gate that is still open, and about any case. */
export function dropDrafts({ but }: { readonly but?: Gate | undefined } = {}): void {
  const kept = storage();
  for (const name of Object.keys(kept ?? {})) {
    const stays =
      but !== undefined && ((but.gateId && name.startsWith(ofGate(but))) || name.startsWith(ofCases(but.personId)));
    if (name.startsWith(prefix) && !stays) kept?.removeItem(name);
  }
}

function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
