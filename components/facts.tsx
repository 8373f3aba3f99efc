import type { ReactNode } from "react";

export type Fact = { readonly name: string; readonly value: ReactNode };

/** Names and values in two columns; facts without a value are left out. */
export function Facts({ list }: { readonly list: readonly (Fact | undefined)[] }) {
  return (
    <dl className="grid auto-rows-min grid-cols-[minmax(6rem,8.5rem)_minmax(0,1fr)] gap-x-3 gap-y-1.5">
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
