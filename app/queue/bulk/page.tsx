import { afterReleasesText } from "#lib/messages/reviewer/decision";
import { declineOptions } from "#lib/messages/labels/decline-reasons";
import { ChevronLeft } from "lucide";
import Link from "next/link";
import { ButtonLink } from "#components/form/button";
import { Empty } from "#components/list/empty";
import { Icon } from "#components/shell/icon";
import { PageHeader } from "#components/shell/page-header";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { bulkMax } from "#lib/queue/bulk";
import { bulkActs, chosenCases, type BulkAct, type ChosenCases, type ChosenCase } from "#lib/queue/chosen-cases";
import { addressOf, readAddress } from "#lib/queue/queue-address";
import { shownZone } from "#components/text/time";
import { snoozeChoiceTexts } from "#lib/messages/reviewer/snooze";
import { snoozeChoices } from "#lib/queue/model/snooze";
import { BulkForm } from "./bulk-form.tsx";
import { ChosenTable } from "./chosen-table.tsx";
import { itemText } from "./items.ts";

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> };

/** What is about to be done with several cases: the list of them, and the button. Looking at it does nothing. */
export default async function BulkPage({ searchParams }: Props) {
  const { act, case: cases, list } = await searchParams;
  const back = listOf(list);
  const taskIds = [cases ?? []].flat();
  const person = await requirePerson("/queue");
  const known = bulkActs.find((name) => name === act);
  const chosen = known && (await chosenCases(contextOf(person), { taskIds, act: known }));
  return (
    <Shell person={person} current="queue" title="Several cases">
      <nav aria-label="Back" className="mb-3">
        <Link
          href={back}
          prefetch={false}
          data-back=""
          className="-ms-1 inline-flex items-center gap-0.5 rounded-md py-0.5 pe-1 pointer-coarse:min-h-11 text-ink-soft hover:text-ink"
        >
          <Icon of={ChevronLeft} />
          Queue
        </Link>
      </nav>
      {known && chosen?.ok ? (
        <Confirm act={known} chosen={chosen.value} back={back} zone={await shownZone()} />
      ) : (
        <>
          <PageHeader title="Several cases" />
          <Empty title={taskIds.length > bulkMax ? `${taskIds.length} cases are too many` : "No cases are chosen"}>
            <p>Go back and choose between one and {bulkMax} of them.</p>
          </Empty>
        </>
      )}
    </Shell>
  );
}

/** The list the cases were chosen in; no address but one of the queue's own. */
function listOf(text: string | string[] | undefined): string {
  const at = typeof text === "string" ? text.indexOf("?") : -1;
  if (typeof text !== "string" || at < 0) return "/queue";
  return addressOf(readAddress(Object.fromEntries(new URLSearchParams(text.slice(at)))));
}

const verbs: Readonly<Record<BulkAct, string>> = {
  assign: "Assign",
  snooze: "Snooze",
  decline: "Decline",
  release: "Release",
};
const snoozes = snoozeChoices.map((value) => ({ value, text: snoozeChoiceTexts[value] }));

type ConfirmProps = {
  readonly act: BulkAct;
  readonly chosen: ChosenCases;
  readonly back: string;
  readonly zone: string;
};

function Confirm({ act, chosen: { cases, gone, reviewers }, back, zone }: ConfirmProps) {
  const taken = cases.filter(({ exclusion }) => !exclusion);
  const rest = cases.filter(({ exclusion }) => exclusion);
  const title = taken.length > 0 ? `${verbs[act]} ${countOf(taken)}` : `Nothing to ${act}`;
  return (
    <BulkForm
      {...{ act, title, back, reviewers }}
      effect={act === "release" && taken.length > 0 ? afterReleasesText(taken.map(releaseOf)) : undefined}
      reasons={declineOptions}
      items={taken.map(itemText)}
      snoozing={{ choices: snoozes, zone }}
    >
      {taken.length > 0 && <ChosenTable caption={`Cases to ${act}`} list={taken} act={act} />}
      {rest.length > 0 && (
        <Section title="Left out" aside={`${countOf(rest)}, nothing happens to ${rest.length === 1 ? "it" : "them"}`}>
          <ChosenTable caption="Cases that are left out" list={rest} act={act} />
        </Section>
      )}
      {taken.length === 0 && <ButtonLink href={back}>Back to the queue</ButtonLink>}
      {gone > 0 && (
        <p className="text-ink-soft">
          {gone === 1 ? "One of the chosen cases is" : `${gone} of the chosen cases are`} no longer yours to see.
        </p>
      )}
    </BulkForm>
  );
}

function releaseOf({ gate, practice }: ChosenCase) {
  return { manual: gate?.isManual === true, recallWindowS: practice.recallWindowS };
}

function countOf(list: readonly ChosenCase[]): string {
  return list.length === 1 ? "1 case" : `${list.length} cases`;
}
