import { openPractice, PracticeFrame } from "../practice-frame.tsx";
import { ConnectionTable } from "./connection-table.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** How the practice reaches each payer. */
export default async function ConnectionsPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPractice(id, "connections");
  return (
    <PracticeFrame opened={opened} tab="connections" done={(await searchParams).done}>
      <ConnectionTable practice={opened.practice} />
    </PracticeFrame>
  );
}
