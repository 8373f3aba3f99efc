import Link from "next/link";
import { Notice } from "#components/shell/notice";
import { PlainText } from "#components/text/plain-text";
import type { ListedChanges } from "#lib/change-request/list-changes";
import { changeText } from "#lib/messages/admin/changes";

/** The changes of a thing that wait for a second administrator; nothing where none do. */
export function WaitingChanges({ changes: { list, names } }: { readonly changes: ListedChanges }) {
  if (list.length === 0) return null;
  return (
    <Notice tone="news" title="Awaiting a second admin" className="mb-6">
      <ul>
        {list.map(({ id, change, requestedByName }) => (
          <li key={id}>
            <PlainText>{`${changeText(change, names)}. Requested by ${requestedByName}.`}</PlainText>
          </li>
        ))}
      </ul>
      <Link href="/changes" prefetch={false} className="mt-1 inline-block font-semibold underline hover:no-underline">
        View requested changes
      </Link>
    </Notice>
  );
}
