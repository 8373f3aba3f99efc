import { ActText } from "./act-form.tsx";

/** How long a new key works; there is none without an end. */
export function KeyDays({ initial, most }: { readonly initial: number; readonly most: number }) {
  return (
    <ActText
      label="Days the key works"
      name="keyDays"
      type="number"
      required
      min={1}
      max={most}
      defaultValue={String(initial)}
      hint={`At most ${most}. It is denied from then on.`}
      className="max-w-32"
    />
  );
}
