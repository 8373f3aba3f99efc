import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "#components/shell/class-names";

/** What a field says of itself beside its control. */
export type Around = {
  readonly label: string;
  /** Read out and not shown, where what stands above says it already. */
  readonly labelHidden?: boolean | undefined;
  readonly hint?: ReactNode | undefined;
  readonly error?: string | undefined;
};

/** A field that gets the focus comes into view with its label above it and its error below it. */
const control =
  "block w-full scroll-mt-14 scroll-mb-24 rounded-md border border-line-strong bg-surface px-2.5 py-1.5 text-ink placeholder:text-ink-faint aria-invalid:border-bad";

const fileButton =
  "file:me-3 file:rounded-sm file:bg-selected file:px-2 file:py-0.5 file:text-sm file:font-semibold file:text-ink";

/** A line of text with its label above; hint and error are read out with it. */
export function TextField({ label, labelHidden, hint, error, className, ...rest }: ComponentProps<"input"> & Around) {
  const id = useId();
  return (
    <Labelled id={id} label={label} labelHidden={labelHidden} hint={hint} error={error}>
      <input
        id={id}
        className={classNames(
          control,
          "min-h-8 pointer-coarse:min-h-11",
          rest.type === "file" && fileButton,
          className,
        )}
        {...described(id, hint, error)}
        {...rest}
      />
    </Labelled>
  );
}

/** Several lines of text. */
export function TextArea({
  label,
  labelHidden,
  hint,
  error,
  className,
  rows = 3,
  ...rest
}: ComponentProps<"textarea"> & Around) {
  const id = useId();
  return (
    <Labelled id={id} label={label} labelHidden={labelHidden} hint={hint} error={error}>
      <textarea
        id={id}
        rows={rows}
        className={classNames(control, "resize-y", className)}
        {...described(id, hint, error)}
        {...rest}
      />
    </Labelled>
  );
}

/** One of what can be chosen. */
export type Option = { readonly value: string; readonly text: string };

/** One of a few. */
export function SelectField({
  label,
  labelHidden,
  hint,
  error,
  options,
  className,
  ...rest
}: ComponentProps<"select"> & Around & { readonly options: readonly Option[] }) {
  const id = useId();
  return (
    <Labelled id={id} label={label} labelHidden={labelHidden} hint={hint} error={error}>
      <select
        id={id}
        className={classNames(control, "min-h-8 pointer-coarse:min-h-11", className)}
        {...described(id, hint, error)}
        {...rest}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function Labelled({
  id,
  label,
  labelHidden,
  hint,
  error,
  children,
}: Around & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className={labelHidden ? "sr-only" : "mb-1 block text-sm font-semibold"}>
        {label}
      </label>
      {children}
      {hint !== undefined && <Hint id={id}>{hint}</Hint>}
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1 text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

/** A sentence below a field; `described` has it read out with the field. */
export function Hint({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <p id={`${id}-hint`} className="mt-1 text-sm text-ink-faint">
      {children}
    </p>
  );
}

/** What a control is described by: its hint and its error, where it has them. */
export function described(id: string, hint: ReactNode | undefined, error?: string) {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error !== undefined || undefined };
}
