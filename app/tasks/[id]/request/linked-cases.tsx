import Link from "next/link";
import { PlainText } from "#components/text/plain-text";
import type { CaseView } from "#lib/task/views";

type Props = Pick<CaseView, "earlier" | "later">;

/** The case whose authorization this one renews or extends, and the cases that renew or extend this one; empty if none. */
export function linkedFacts({ earlier, later }: Props) {
  return [
    earlier && { name: "Renews or extends", value: <CaseLinks list={[earlier]} /> },
    earlier?.authorizationNumber === undefined
      ? undefined
      : { name: "Earlier authorization", value: <PlainText>{earlier.authorizationNumber}</PlainText> },
    later.length > 0 ? { name: "Renewed or extended by", value: <CaseLinks list={later} /> } : undefined,
  ].filter((fact) => fact !== undefined);
}

function CaseLinks({ list }: { readonly list: CaseView["later"] }) {
  return list.map(({ taskId, shortId }, index) => (
    <span key={taskId}>
      {index > 0 && ", "}
      <Link href={`/tasks/${taskId}`} className="font-mono underline">
        {shortId}
      </Link>
    </span>
  ));
}
