import { ChevronLeft } from "lucide";
import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "#components/shell/icon";
import { PrintButton } from "./print-button.tsx";

type PaperProps = {
  /** On each printed page, so that a page that went astray still says whose it is. */
  readonly head: ReactNode;
  readonly isTest: boolean;
  readonly children: ReactNode;
};

/** A sheet to print, shown on the screen as it will be on paper. */
export function Paper({ head, isTest, children }: PaperProps) {
  return (
    // A table, because browsers repeat its head on every printed page.
    <table role="presentation" className="w-full max-w-3xl border-collapse print:max-w-none print:text-sm">
      <thead className="hidden print:table-header-group">
        <tr>
          <td className="pb-3">
            <div className="flex justify-between gap-4 border-b border-line-strong pb-1 text-xs">
              <span>{head}</span>
              {isTest && <strong>TEST</strong>}
            </div>
          </td>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** Above the sheet and never on it: the way back, and how to print. */
export function PaperBar({ href, back }: { readonly href: string; readonly back: string }) {
  return (
    <div className="mb-5 flex flex-wrap items-center gap-3 print:hidden">
      <Link
        href={href}
        prefetch={false}
        className="-ms-1 inline-flex items-center gap-0.5 rounded-md py-0.5 pe-1 text-ink-soft hover:text-ink"
      >
        <Icon of={ChevronLeft} />
        {back}
      </Link>
      <div className="ms-auto flex items-center gap-3">
        <span className="text-sm text-ink-faint">Ctrl+P prints this sheet and nothing around it.</span>
        <PrintButton />
      </div>
    </div>
  );
}
