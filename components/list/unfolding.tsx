import type { ReactNode } from "react";
import { ChevronDown } from "lucide";
import { Icon } from "#components/shell/icon";

type Props = { readonly anchor: string | undefined; readonly children: ReactNode };

/** The heading of what folds on a phone: a link to it. What is led to is shown by the style sheet, without JavaScript. */
export function Unfolding({ anchor, children }: Props) {
  return (
    <>
      <span className="narrow:hidden">{children}</span>
      <a
        href={`#${anchor}`}
        className="hidden items-center gap-2 narrow:-my-2 narrow:-ms-4 narrow:flex narrow:min-h-11 narrow:ps-4"
      >
        {children}
        <Icon of={ChevronDown} className="text-ink-faint" />
      </a>
    </>
  );
}
