import type { ReactNode } from "react";

/** What stands where a list would be: why it is empty, and what to do where something can be done. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line px-6 py-10 text-center">
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="mx-auto mt-1 max-w-md text-ink-soft">{children}</div>}
    </div>
  );
}
