/** An instant that a payer gives, in UTC; undefined for none, and for one before 1900, which nobody means and no column takes. */
export function instantText(at: Date): string | undefined {
  return at.getUTCFullYear() >= 1900 ? at.toISOString() : undefined;
}
