import type { IconNode } from "lucide";
import { createElement } from "react";
import { classNames } from "./class-names.tsx";

type Props = {
  readonly of: IconNode;
  readonly size?: number | undefined;
  readonly className?: string | undefined;
};

/** A drawing that only repeats what the words beside it say. Where it is drawn by the server, no script comes with it. */
export function Icon({ of, size = 16, className }: Props) {
  const frame = { width: size, height: size, viewBox: "0 0 24 24", className: classNames("icon", className) };
  return createElement(
    "svg",
    { "aria-hidden": true, ...frame },
    ...of.map(([tag, attributes]) => createElement(tag, attributes)),
  );
}
