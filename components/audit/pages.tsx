import Link from "next/link";
import type { AuditPage } from "#lib/audit/browse-audit-log";
import { spotText } from "./audit-path.tsx";

type Spot = { readonly before: string } | { readonly after: string };
type Props = Pick<AuditPage, "newer" | "older" | "isPartial"> & { readonly hrefAt: (spot: Spot) => string };

/** The ways to newer and older entries of the audit log. */
export function Pages({ newer, older, isPartial, hrefAt }: Props) {
  const link = "rounded-md px-2 py-1 text-ink-soft underline hover:bg-hover hover:text-ink";
  return (
    <nav aria-label="Pages" className="-mx-2 mt-4 flex gap-2">
      {newer && (
        <Link href={hrefAt({ after: spotText(newer) })} prefetch={false} rel="prev" className={link}>
          Newer
        </Link>
      )}
      {older && (
        <Link href={hrefAt({ before: spotText(older) })} prefetch={false} rel="next" className={link}>
          {isPartial ? "Look further back" : "Older"}
        </Link>
      )}
    </nav>
  );
}
