import { ActText } from "./act-form.tsx";

/** How long a new key works; there is none without an end. */
export function KeyDays({ initial, most }: { readonly initial: number; readonly most: number }) {
  return (
    <ActText
      label="Expires after (days)"
      name="keyDays"
      type="number"
      required
      min={1}
      max={most}
      defaultValue={String(initial)}
      hint={`1 to ${most}. Calls with an expired key are denied.`}
      className="max-w-32"
    />
  );
}
