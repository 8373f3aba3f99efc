import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { Empty } from "#components/list/empty";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { addressOf } from "#lib/queue/queue-address";
import { nextToDecide } from "#lib/queue/walk";
import { caseAddress, listOf, readCaseAddress } from "../[id]/case-address.ts";

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>> };

/** Opens the next case to decide of a list; where none is left it says so, and why where others are at work. */
export default async function NextCasePage({ searchParams }: Props) {
  const { list } = readCaseAddress(await searchParams);
  const person = await requirePerson(caseAddress("next", { list }));
  const next = await nextToDecide(contextOf(person), listOf(list));
  if (next.taskId !== undefined) redirect(caseAddress(next.taskId, { list }));
  const { heldByOthers: count } = next;
  return (
    <Shell person={person} current="queue" title="Nothing left to decide">
      <PageHeader title="Nothing left to decide" />
      <Empty title={count === 0 ? "Every case in this list is decided" : othersText(count)}>
        <p>{list === undefined ? "New requests appear in the queue as they arrive." : "Other lists may have more."}</p>
        <p className="mt-4 flex flex-wrap justify-center gap-2">
          <ButtonLink href={addressOf(listOf(list))} tone="primary" data-back="">
            Back to the {list === undefined ? "queue" : "list"}
          </ButtonLink>
          {list !== undefined && <ButtonLink href={caseAddress("next")}>Next in the whole queue</ButtonLink>}
        </p>
      </Empty>
    </Shell>
  );
}

function othersText(count: number): string {
  return count === 1
    ? "One case is left, and someone else is working on it"
    : `${count} cases are left, and others are working on them`;
}
