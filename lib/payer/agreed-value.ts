/** The only distinct value; undefined if there is none or they differ. */
export function agreedValue(values: readonly (string | undefined)[]): string | undefined {
  const distinct = new Set(values.filter((value) => value !== undefined));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

/** Whether both sides state something, and not the same but for case and the space around it. */
export function differ(one: string | undefined, other: string | undefined): boolean {
  const [here, there] = [one?.trim().toUpperCase(), other?.trim().toUpperCase()];
  return Boolean(here) && Boolean(there) && here !== there;
}

/** The day of a date or date-time, YYYY-MM-DD. */
export function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : undefined;
}

/** An instant that a payer gives, in UTC; undefined for none, and for one before 1900, which nobody means and no column takes. */
export function instantText(at: Date): string | undefined {
  return at.getUTCFullYear() >= 1900 ? at.toISOString() : undefined;
}

type Validity = { readonly validFrom?: string | undefined; readonly validTo?: string | undefined };

/** The days on which a certified line is in force, where they are not those of the whole. */
export function ownValidity(action: string | undefined, line: Validity, whole: Validity): Validity {
  const { validFrom, validTo } = line;
  const isCertified = action === "A1" || action === "A2" || action === "A6";
  return {
    ...(isCertified && validFrom !== undefined && validFrom !== whole.validFrom ? { validFrom } : {}),
    ...(isCertified && validTo !== undefined && validTo !== whole.validTo ? { validTo } : {}),
  };
}
