import { ActText } from "#components/act-form";
import { keyDaysDefault, keyDaysMax } from "#lib/admin/key-terms";

/** How long a new key works; there is none without an end. */
export function KeyDays() {
  return (
    <ActText
      label="Days the key works"
      name="keyDays"
      type="number"
      required
      min={1}
      max={keyDaysMax}
      defaultValue={String(keyDaysDefault)}
      hint={`At most ${keyDaysMax}. It is denied from then on.`}
      className="max-w-32"
    />
  );
}
