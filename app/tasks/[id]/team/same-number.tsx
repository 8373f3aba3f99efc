import Link from "next/link";
import { shortIdOf } from "#lib/task/model/short-id";
import type { CaseView } from "#lib/task/views";

/** The case that has the authorization number of the payer's answer already, while a person has yet to read that answer. */
export function caseOfSameNumber({ attention, history }: CaseView): string | undefined {
  const last = history.findLast(({ detail }) => detail["sameNumberAs"] !== undefined)?.detail["sameNumberAs"];
  return attention === "unreadable-answer" && typeof last === "string" ? last : undefined;
}

export function SameNumber({ taskId }: { readonly taskId: string }) {
  return (
    <span className="mt-1 block text-warn">
      Same authorization number as case{" "}
      <Link href={`/tasks/${taskId}`} className="font-mono underline">
        {shortIdOf(taskId)}
      </Link>
    </span>
  );
}
