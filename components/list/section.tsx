import { useId, type ReactNode } from "react";

type Props = {
  readonly title: string;
  /** Beside the title: a count, a mark, a link. */
  readonly aside?: ReactNode | undefined;
  /** What an address goes to it by. */
  readonly anchor?: string | undefined;
  readonly children: ReactNode;
};

/** A part of a page under its own heading, set apart by a rule and space. Parts beside each other are panels. */
export function Section({ title, aside, anchor, children }: Props) {
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="scroll-mt-16 border-t border-line pt-6 pb-8 first:border-t-0 first:pt-0"
    >
      <div className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {aside !== undefined && <div className="text-sm text-ink-faint">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
