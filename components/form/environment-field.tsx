import { ActSelect } from "./act-form.tsx";

type Props = { readonly hint?: string | undefined; readonly defaultValue: "live" | "test" };

const options = [
  { value: "test", text: "Test (no real payer)" },
  { value: "live", text: "Live (real patients and payers)" },
] as const;

/** Where work goes, the cautious choice first. */
export function EnvironmentField({ hint, defaultValue }: Props) {
  return <ActSelect label="Environment" name="environment" options={options} defaultValue={defaultValue} hint={hint} />;
}
