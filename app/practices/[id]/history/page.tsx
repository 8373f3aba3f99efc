import Link from "next/link";
import { redirect } from "next/navigation";
import { beforeOf } from "#components/list/before-of";
import { Panel } from "#components/list/panel";
import { VersionList } from "#components/list/version-list";
import { showVersions } from "#lib/practice/show-route";
import { openPractice, PracticeFrame } from "../practice-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly before?: string | string[] }>;
};

/** Every version of a practice's settings. */
export default async function HistoryPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPractice(id, "history");
  const found = await showVersions(opened.ctx, { practiceId: id, before: beforeOf(await searchParams) });
  if (!found.ok) redirect("/not-found");
  const { list, more } = found.value;
  return (
    <PracticeFrame opened={opened} tab="history">
      <Panel
        title="Settings"
        className="max-w-4xl"
        actions={
          <Link
            href={`/audit?practice=${encodeURIComponent(id)}`}
            prefetch={false}
            className="text-sm underline hover:no-underline"
          >
            View in audit log
          </Link>
        }
      >
        <VersionList heading="h3" list={list} older={more === undefined ? undefined : `?before=${more}`} />
      </Panel>
    </PracticeFrame>
  );
}
