import type { ComponentProps } from "react";

type Props = Omit<ComponentProps<"div">, "role" | "tabIndex" | "aria-label"> & {
  readonly as?: "div" | "pre" | undefined;
  readonly label: string;
};

/** What scrolls within itself. The keyboard reaches it, to scroll it, and so it has a name (WCAG 2.1.1 and 4.1.2). */
export function ScrollRegion({ as: Tag = "div", label, children, className }: Props) {
  return (
    <Tag role="group" aria-label={label} tabIndex={0} className={className}>
      {children}
    </Tag>
  );
}
