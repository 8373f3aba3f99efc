const prefix = "draft ";

/** Where something is typed: by whom, at which gate, and in which field. */
type DraftPlace = {
  readonly personId: string;
  readonly gateId: string | undefined;
  /** The form and its field. */
  readonly field: string;
};

const ofGate = ({ personId, gateId = "" }: Pick<DraftPlace, "personId" | "gateId">) =>
  `${prefix}${personId} ${gateId} `;

const nameOf = ({ field, ...place }: DraftPlace) => ofGate(place) + field;

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

/** Forgets every draft of this tab, but for this person's at a gate that is still open. */
export function dropDrafts({ but }: { readonly but?: Pick<DraftPlace, "personId" | "gateId"> | undefined } = {}): void {
  const kept = storage();
  for (const name of Object.keys(kept ?? {})) {
    const stays = but?.gateId !== undefined && but.gateId !== "" && name.startsWith(ofGate(but));
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
