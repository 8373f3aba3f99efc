import type { ReactNode } from "react";

type Props = {
  readonly title: ReactNode;
  /** One sentence about the page, where the title alone would leave a question. */
  readonly lead?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
};

export function PageHeader({ title, lead, actions }: Props) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pb-5">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold text-balance">{title}</h1>
        {lead !== undefined && <div className="mt-1 max-w-prose text-ink-soft">{lead}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2 max-sm:contents">{actions}</div>}
    </header>
  );
}
