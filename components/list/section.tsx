import { useId, type ReactNode } from "react";
import { classNames } from "#components/shell/class-names";
import { Unfolding } from "./unfolding.tsx";

type Props = {
  readonly title: string;
  /** Beside the title: a count, a mark, a link. */
  readonly aside?: ReactNode | undefined;
  /** What an address goes to it by. */
  readonly anchor?: string | undefined;
  /** On a phone only its heading, until that is pressed. Needs an anchor. */
  readonly folds?: boolean | undefined;
  readonly children: ReactNode;
};

/** A part of a page under its own heading, set apart by a rule and space. Parts beside each other are panels. */
export function Section({ title, aside, anchor, folds, children }: Props) {
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className={classNames(
        "scroll-mt-16 border-t border-line pt-6 pb-8 first:border-t-0 first:pt-0",
        folds && "panel-folds narrow:py-3",
      )}
    >
      <div className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 id={id} className="text-lg font-semibold">
          {folds ? <Unfolding anchor={anchor}>{title}</Unfolding> : title}
        </h2>
        {aside !== undefined && <div className="text-sm text-ink-faint">{aside}</div>}
      </div>
      <div data-body="">{children}</div>
    </section>
  );
}
