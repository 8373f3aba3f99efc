import { redirect } from "next/navigation";
import { Attention } from "#components/admin/attention";
import { SetupList } from "#components/admin/setup-list";
import { listPeople } from "#lib/person/list-people";
import { attentionOf, setupOf } from "./attention.ts";
import { Identity } from "./identity.tsx";
import { openPractice, PracticeFrame } from "./practice-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** What needs attention, what is still to be set up, and who the practice is. */
export default async function PracticePage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPractice(id, "overview");
  const { ctx, practice } = opened;
  const people = await listPeople(ctx);
  if (!people.ok) redirect("/not-found");
  const around = {
    practice,
    reviewers: people.value.filter(({ grants }) =>
      grants.some((grant) => grant.role === "reviewer" && grant.practiceId === practice.id),
    ).length,
  };
  return (
    <PracticeFrame opened={opened} tab="overview" done={(await searchParams).done}>
      <div className="grid max-w-3xl gap-6">
        <Attention list={attentionOf(around)} />
        <SetupList list={setupOf(around)} />
        <Identity practice={practice} />
      </div>
    </PracticeFrame>
  );
}
