import { redirect } from "next/navigation";
import { listPractices } from "#lib/practice/list-practices";
import { ChannelFrame, openChannel } from "../channel-frame.tsx";
import { AccessForm } from "./access-form.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** What the channel may do where, how much and from where. */
export default async function ChannelAccessPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openChannel(id, "access");
  const practices = await listPractices(opened.ctx);
  if (!practices.ok) redirect("/not-found");
  return (
    <ChannelFrame opened={opened} tab="access" done={(await searchParams).done}>
      <AccessForm channel={opened.channel} practices={practices.value} />
    </ChannelFrame>
  );
}
