import { ActText } from "./act-form.tsx";

type Props = {
  readonly initial: number;
  readonly most: number;
  /** Where the form is of more than the key. */
  readonly label?: string | undefined;
};

/** How long a new key works; there is none without an end. */
export function KeyDays({ initial, most, label = "Expires after (days)" }: Props) {
  return (
    <ActText
      label={label}
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
