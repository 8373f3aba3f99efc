import { redirect } from "next/navigation";
import { showChannelCalls } from "#lib/channel/channel-calls";
import { tryCall } from "#lib/channel/try-call";
import { listPractices } from "#lib/practice/list-practices";
import { ChannelFrame, openChannel } from "../channel-frame.tsx";
import { CallTable } from "./call-table.tsx";
import { DeniedCalls } from "./denied-calls.tsx";
import { TestPermissions, type TestedCall } from "./test-permissions.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

/** What the agent was denied and why, what it would be allowed, and how much it called. */
export default async function ChannelActivityPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openChannel(id, "activity");
  const { ctx, channel } = opened;
  const [calls, practices] = [await showChannelCalls(ctx, { channelId: channel.id }), await listPractices(ctx)];
  if (!calls.ok || !practices.ok) redirect("/not-found");
  const tested = testedIn(await searchParams);
  const answer = tested && (await tryCall(ctx, { channelId: channel.id, ...tested }));
  return (
    <ChannelFrame opened={opened} tab="activity">
      <div className="grid items-start gap-6 2xl:grid-cols-[minmax(0,1fr)_24rem]">
        <DeniedCalls list={calls.value.denials} />
        <div className="grid gap-6">
          <TestPermissions practices={practices.value} tested={tested} answer={answer} />
          <CallTable hours={calls.value.hours} />
        </div>
      </div>
    </ChannelFrame>
  );
}

/** The call that the page's address says is tested. */
function testedIn({ atom, practice, address }: Awaited<Props["searchParams"]>): TestedCall | undefined {
  if (typeof atom !== "string" || typeof practice !== "string") return undefined;
  return { atom, practiceId: practice, address: typeof address === "string" ? address.trim() : "" };
}
