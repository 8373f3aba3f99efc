import { ChevronLeft } from "lucide";
import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** The way back to what a page belongs to. */
export function BackLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <nav aria-label="Back" className="mb-3">
      <Link
        href={href}
        prefetch={false}
        className="-ms-1 inline-flex items-center gap-0.5 rounded-md py-0.5 pe-1 pointer-coarse:min-h-11 text-ink-soft hover:text-ink"
      >
        <Icon of={ChevronLeft} />
        {children}
      </Link>
    </nav>
  );
}
