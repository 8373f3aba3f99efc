import Link from "next/link";
import { Notice } from "#components/shell/notice";

/** Leads to what payers sent and no case fits; nothing where there is none. */
export function UnmatchedNotice({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <Notice tone="warn" className="mb-4">
      <Link href="/notifications" prefetch={false} className="underline">
        {count === 1 ? "1 payer notification matches no case" : `${count} payer notifications match no case`}
      </Link>
    </Notice>
  );
}
