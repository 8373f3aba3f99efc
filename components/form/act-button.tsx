import type { ComponentProps, ReactNode } from "react";
import { ActButtons, ActForm } from "./act-form.tsx";
import { SubmitButton } from "./submit-button.tsx";

type Props = Pick<ComponentProps<typeof ActForm>, "act" | "className"> &
  Pick<ComponentProps<typeof SubmitButton>, "tone"> & {
    /** What it is done to, by the names of fields. */
    readonly about: Readonly<Record<string, string>>;
    /** What it comes to, said above the button. */
    readonly says?: ReactNode | undefined;
    readonly children: string;
  };

/** A form of one button. */
export function ActButton({ act, about, says, tone, className, children }: Props) {
  return (
    <ActForm act={act} className={className}>
      {Object.entries(about).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {says !== undefined && <p className="max-w-prose text-ink-soft">{says}</p>}
      <ActButtons>
        <SubmitButton tone={tone}>{children}</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}
