import { listRouteDrafts } from "#lib/practice/draft/route-draft";
import { openPractice, PracticeFrame } from "../practice-frame.tsx";
import { ConnectionTable } from "./connection-table.tsx";
import { Unfinished } from "./unfinished.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** How the practice reaches each payer. */
export default async function ConnectionsPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPractice(id, "connections");
  const practiceId = opened.practice.id;
  const drafts = await listRouteDrafts(opened.ctx, { practiceId });
  return (
    <PracticeFrame opened={opened} tab="connections" done={(await searchParams).done}>
      <Unfinished practiceId={practiceId} drafts={drafts.ok ? drafts.value : []} />
      <ConnectionTable practice={opened.practice} />
    </PracticeFrame>
  );
}
