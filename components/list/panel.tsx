import { useId, type ReactNode } from "react";
import { classNames } from "#components/shell/class-names";
import { Unfolding } from "./unfolding.tsx";

type Props = {
  readonly title: ReactNode;
  /** Beside the title: a count, a mark. */
  readonly aside?: ReactNode | undefined;
  /** At the end of the bar: what can be done with all of it. */
  readonly actions?: ReactNode | undefined;
  /** What an address goes to it by. */
  readonly anchor?: string | undefined;
  /** On a phone only its heading, until that is pressed: for pages that would be many screens long there. Needs an anchor. */
  readonly folds?: boolean | undefined;
  /** A table or list that reaches its edges. */
  readonly flush?: boolean | undefined;
  readonly heading?: "h2" | "h3" | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/**
 * A part of a page in a frame, its heading in a tinted bar. For parts that lie beside each other or hold a list; what
 * follows below each other on a page is a {@link Section}, and a panel never holds another.
 */
export function Panel(props: Props) {
  const { title, aside, actions, anchor, folds, flush, heading: Heading = "h2", className, children } = props;
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className={classNames("panel scroll-mt-16", folds && "panel-folds", className)}
    >
      <div className="panel-head">
        <Heading id={id} className="font-semibold">
          {folds ? <Unfolding anchor={anchor}>{title}</Unfolding> : title}
        </Heading>
        {aside !== undefined && <div className="text-sm text-ink-faint">{aside}</div>}
        {actions !== undefined && <div className="ms-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      <div data-body="" className={flush ? "panel-flush" : "p-4"}>
        {children}
      </div>
    </section>
  );
}
