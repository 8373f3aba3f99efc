import Link from "next/link";
import { Notice } from "./notice.tsx";

type Props = {
  readonly count: number;
  /** Whether the reader reviews for the practices they came to, and may open them. */
  readonly opens: boolean;
};

/** How many payer notifications match no case; nothing where there are none. */
export function UnmatchedNotice({ count, opens }: Props) {
  if (count === 0) return null;
  const text = count === 1 ? "1 payer notification matches no case" : `${count} payer notifications match no case`;
  return (
    <Notice tone="warn" className="mb-4">
      {opens ? (
        <Link href="/notifications" prefetch={false} className="underline">
          {text}
        </Link>
      ) : (
        `${text}. A reviewer of this practice needs to look at ${count === 1 ? "it" : "them"}.`
      )}
    </Notice>
  );
}
