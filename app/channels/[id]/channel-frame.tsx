import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { RecordFrame } from "#components/admin/record-frame";
import { ActDialog } from "#components/form/act-dialog";
import { EnvironmentMark } from "#components/list/badge";
import { StatusBadge } from "#components/list/status-badge";
import { PlainText } from "#components/text/plain-text";
import { Ago } from "#components/text/time";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { listChanges, type ListedChanges } from "#lib/change-request/list-changes";
import { lastCallOf, showChannel, type ChannelRecord } from "#lib/channel/list-channels";
import { channelDoneText } from "#lib/messages/admin/channel";
import { contextOf, requirePerson, upcomingProof } from "#lib/person/session/person";
import { resume, suspend } from "./actions.ts";
import { channelPath, type ChannelTab } from "./paths.ts";

const tabNames: Readonly<Record<ChannelTab, string>> = {
  overview: "Overview",
  keys: "API keys",
  access: "Access",
  webhooks: "Webhooks",
  activity: "Activity",
  history: "History",
};

export type OpenedChannel = {
  readonly person: PersonActor;
  readonly ctx: Context<PersonActor>;
  readonly channel: ChannelRecord;
  readonly waiting: ListedChanges;
};

/** The channel of a tab, for who administers all of it; everybody else is told that it is not there. */
export async function openChannel(id: string, tab: ChannelTab): Promise<OpenedChannel> {
  const person = await requirePerson(channelPath(id, tab));
  const ctx = contextOf(person);
  const found = await showChannel(ctx, { channelId: id });
  if (!found.ok) redirect("/not-found");
  const waiting = await listChanges(ctx, { about: found.value.id, waiting: true });
  if (!waiting.ok) redirect("/not-found");
  return { person, ctx, channel: found.value, waiting: waiting.value };
}

type Props = {
  readonly opened: OpenedChannel;
  readonly tab: ChannelTab;
  /** What the address says was done. */
  readonly done?: string | string[] | undefined;
  readonly children: ReactNode;
};

/** What stands around every tab: whether the agent works, who answers for it, and the act one may need in a hurry. */
export function ChannelFrame({ opened: { person, channel, waiting }, tab, done, children }: Props) {
  return (
    <RecordFrame
      viewer={person}
      kind="channel"
      name={channel.name}
      badge={
        <>
          <StatusBadge status={channel.status} />
          {channel.environment === "test" && <EnvironmentMark environment="test" />}
        </>
      }
      lead={<Lead channel={channel} />}
      actions={<StatusAct channel={channel} />}
      tabNames={tabNames}
      tab={tab}
      pathOf={(each) => channelPath(channel.id, each)}
      message={channelDoneText(done)}
      waiting={waiting}
    >
      {children}
    </RecordFrame>
  );
}

function Lead({ channel }: { readonly channel: ChannelRecord }) {
  const called = lastCallOf(channel);
  const count = channel.practices.length;
  return (
    <>
      <span>{channel.owner ? <PlainText>{`Owner ${channel.owner.name}`}</PlainText> : "No owner"}</span>
      <span>
        {called ? (
          <>
            Last call <Ago at={called} />
          </>
        ) : (
          "No calls yet"
        )}
      </span>
      <span>{count === 0 ? "No practice access" : count === 1 ? "1 practice" : `${count} practices`}</span>
    </>
  );
}

async function StatusAct({ channel }: { readonly channel: ChannelRecord }) {
  const about = { channelId: channel.id };
  if (channel.status === "suspended") {
    return (
      <ActDialog
        act={resume}
        about={about}
        label="Resume channel"
        tone="primary"
        title={`Resume ${channel.name}?`}
        confirm="Resume channel"
        asks={await upcomingProof()}
      >
        <p>Its active keys work again at once, with the access it has now.</p>
      </ActDialog>
    );
  }
  return (
    <ActDialog
      act={suspend}
      about={about}
      label="Suspend channel"
      tone="danger"
      title={`Suspend ${channel.name}?`}
      confirm="Suspend channel"
      confirmTone="danger"
    >
      <p>
        Every call of this agent is denied from now on. Requests it sent that aren&rsquo;t submitted yet stay in the
        queue as “Agent access revoked” until someone takes ownership, or until you resume the channel.
      </p>
    </ActDialog>
  );
}
