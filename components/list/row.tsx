import type { ComponentProps } from "react";
import { classNames } from "#components/shell/class-names";

/** A row of a {@link Table}. */
export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return <tr role="row" className={classNames("row", className)} {...rest} />;
}

type CellProps = Omit<ComponentProps<"td">, "align"> & {
  /** The column's name again, shown before the value where the table is a list. */
  readonly label?: string | undefined;
  readonly align?: "end" | undefined;
};

export function Cell({ label, align, className, children, ...rest }: CellProps) {
  return (
    <td
      role="cell"
      className={classNames(
        "cell",
        label !== undefined && "narrow:flex narrow:gap-2",
        align === "end" && "text-end narrow:text-start",
        className,
      )}
      {...rest}
    >
      {label === undefined ? (
        children
      ) : (
        <>
          <span aria-hidden className="w-24 shrink-0 text-sm text-ink-faint not-narrow:hidden">
            {label}
          </span>
          <div className="min-w-0 narrow:flex-1">{children}</div>
        </>
      )}
    </td>
  );
}
