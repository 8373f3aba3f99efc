import type { ReactNode } from "react";
import { classNames } from "#components/shell/class-names";

export type Fact = { readonly name: string; readonly value: ReactNode };

type Props = {
  readonly list: readonly (Fact | undefined)[];
  /** Beside something else, with less room for the names. */
  readonly slim?: boolean | undefined;
};

/** Names and values in two columns; facts without a value are left out. */
export function Facts({ list, slim = false }: Props) {
  return (
    <dl
      className={classNames(
        "grid auto-rows-min gap-x-3 gap-y-2",
        slim ? "grid-cols-[5.5rem_minmax(0,1fr)]" : "grid-cols-[minmax(6rem,8.5rem)_minmax(0,1fr)]",
      )}
    >
      {list
        .filter((fact) => fact !== undefined)
        .map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-ink-faint">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
