import type { ReactNode } from "react";

type Props = {
  readonly title: ReactNode;
  /** Beside the title: where the thing stands, as one badge. */
  readonly badge?: ReactNode | undefined;
  /** One sentence about the page, or the few facts that tell the thing from others. */
  readonly lead?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
  /** Below, over the whole width: the parts of the thing, as `TabLinks`. */
  readonly tabs?: ReactNode | undefined;
};

/** What a page is about, in the largest words on it. */
export function PageHeader({ title, badge, lead, actions, tabs }: Props) {
  return (
    <header className="mb-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-2xl font-semibold text-balance wrap-anywhere">{title}</h1>
            {badge}
          </div>
          {lead !== undefined && <div className="mt-1 max-w-prose text-ink-soft">{lead}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2 max-sm:contents">{actions}</div>}
      </div>
      {tabs !== undefined && <div className="mt-4">{tabs}</div>}
    </header>
  );
}
