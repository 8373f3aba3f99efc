import { ArrowUp } from "lucide";
import Link from "next/link";
import type { ReactNode } from "react";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";

export { Cell, Row } from "./row.tsx";

type Column = {
  readonly name: string;
  /** A width class; once one column has one, the widths hold whatever the rows contain. */
  readonly width?: string | undefined;
  readonly align?: "end" | undefined;
  readonly hidden?: boolean | undefined;
  /** The address of the list in this column's order, where it has one. */
  readonly sortedAt?: string | undefined;
  /** The list is in this column's order now. */
  readonly sorted?: boolean | undefined;
};

type TableProps = {
  /** Says what the table holds; read out, and not shown, since a heading stands above it. */
  readonly caption: string;
  readonly columns: readonly (string | Column)[];
  readonly children: ReactNode;
};

/**
 * A table that becomes a list of labelled values on a narrow screen, and never on paper. The roles
 * are spelled out because changing `display` may take them away. Its own width is what its rows go by.
 */
export function Table({ caption, columns, children }: TableProps) {
  const all = columns.map((column) => (typeof column === "string" ? { name: column } : column));
  const isFixed = all.some(({ width }) => width !== undefined);
  return (
    <div className="@container">
      <table
        role="table"
        className={classNames("w-full border-collapse text-start narrow:block", isFixed && "md:table-fixed")}
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="narrow:sr-only">
          <tr role="row" className="border-b border-line">
            {all.map(({ name, width, align, hidden, sortedAt, sorted }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                aria-sort={sorted ? "ascending" : undefined}
                className={classNames(
                  "px-2 py-1.5 text-xs font-semibold text-ink-faint first:ps-0 last:pe-0",
                  align === "end" ? "text-end" : "text-start",
                  width,
                )}
              >
                {sortedAt === undefined ? (
                  <span className={hidden ? "sr-only" : undefined}>{name}</span>
                ) : (
                  <Link href={sortedAt} prefetch={false} className="hover:text-ink hover:underline">
                    {name}
                    {sorted && <Icon of={ArrowUp} size={12} className="ms-0.5 inline align-[-0.1em]" />}
                  </Link>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="narrow:block">
          {children}
        </tbody>
      </table>
    </div>
  );
}
