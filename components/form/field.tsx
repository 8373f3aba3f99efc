import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "#components/shell/class-names";

type Around = {
  readonly label: string;
  /** Read out and not shown, where what stands above says it already. */
  readonly labelHidden?: boolean | undefined;
  readonly hint?: ReactNode | undefined;
  readonly error?: string | undefined;
};

const control =
  "block w-full rounded-md border border-line-strong bg-surface px-2.5 py-1.5 text-ink placeholder:text-ink-faint aria-invalid:border-bad";

/** What is ticked or chosen; its words beside it are part of what can be pressed. */
const box = "mt-px size-4.5 shrink-0 accent-inverse pointer-coarse:mt-3 pointer-coarse:size-5";

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

type Option = { readonly value: string; readonly text: string };

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

/** Yes or no; several with one name and different values make a set. */
export function CheckboxField({
  label,
  hint,
  problemId,
  className,
  ...rest
}: Omit<ComponentProps<"input">, "type"> & Around & { readonly problemId?: string | undefined }) {
  const id = useId();
  const { "aria-describedby": own } = described(id, hint);
  return (
    <div className={classNames("flex items-start gap-2 py-1 pointer-coarse:py-0", className)}>
      <input
        id={id}
        type="checkbox"
        className={box}
        aria-describedby={[own, problemId].filter(Boolean).join(" ") || undefined}
        {...rest}
      />
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="block pointer-coarse:py-3">
          {label}
        </label>
        {hint !== undefined && <Hint id={id}>{hint}</Hint>}
      </div>
    </div>
  );
}

type RadioProps = Omit<ComponentProps<"input">, "type"> & {
  readonly legend: string;
  readonly options: readonly Option[];
  readonly chosen?: string | undefined;
};

/** One of a few that stand open beside each other; none is chosen before somebody chooses. */
export function RadioFields({ legend, options, chosen, ...rest }: RadioProps) {
  const id = useId();
  return (
    <FieldGroup legend={legend}>
      {options.map(({ value, text }) => (
        <div key={value} className="flex items-start gap-2 py-1 pointer-coarse:items-center pointer-coarse:py-0">
          <input
            {...rest}
            id={`${id}-${value}`}
            type="radio"
            value={value}
            defaultChecked={value === chosen}
            className={classNames(box, "pointer-coarse:mt-0")}
          />
          <label htmlFor={`${id}-${value}`} className="flex-1 pointer-coarse:py-3">
            {text}
          </label>
        </div>
      ))}
    </FieldGroup>
  );
}

/** Fields that belong together, with their common name. */
export function FieldGroup({ legend, children }: { readonly legend: string; readonly children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      {children}
    </fieldset>
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

function Hint({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <p id={`${id}-hint`} className="mt-1 text-sm text-ink-faint">
      {children}
    </p>
  );
}

function described(id: string, hint: ReactNode | undefined, error?: string) {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error !== undefined || undefined };
}
