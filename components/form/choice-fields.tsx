import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "#components/shell/class-names";
import { described, Hint, type Around, type Option } from "./field.tsx";

/** What is ticked or chosen; its words beside it are part of what can be pressed. */
const box = "mt-px size-4.5 shrink-0 accent-inverse pointer-coarse:mt-3 pointer-coarse:size-5";

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
  readonly error?: string | undefined;
};

/** One of a few that stand open beside each other; none is chosen before somebody chooses. */
export function RadioFields({ legend, options, chosen, error, ...rest }: RadioProps) {
  const id = useId();
  return (
    <FieldGroup legend={legend}>
      {options.map(({ value, text }) => (
        <div key={value} className="flex items-start gap-2 py-1 pointer-coarse:items-center pointer-coarse:py-0">
          <input
            {...rest}
            {...described(id, undefined, error)}
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
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
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
