import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { ButtonLink } from "#components/form/button";
import { Facts } from "#components/list/facts";
import { IndexedSections } from "#components/list/indexed-sections";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { StatusBadge } from "#components/list/status-badge";
import { Shell } from "#components/shell/shell";
import { Time } from "#components/text/time";
import { showChannelCalls } from "#lib/channel/channel-calls";
import { showChannel, type ChannelRecord } from "#lib/channel/list-channels";
import { listPeople, type PersonRecord } from "#lib/person/list-people";
import { listPractices, type PracticeRecord } from "#lib/practice/list-practices";
import { tryCall } from "#lib/channel/try-call";
import { showChannelWebhooks } from "#lib/channel/webhook/channel-deliveries";
import { tokenUrl } from "#lib/channel/token/token-url";
import { contextOf, requirePerson } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import { ChannelCalls } from "./channel-calls.tsx";
import { ChannelKeys } from "./channel-keys.tsx";
import { ChannelWebhooks } from "./channel-webhooks.tsx";
import { LimitsForm, NetworksForm, OwnerForm, RenameForm, RightsForm, StatusForm } from "./channel-forms.tsx";
import { ChannelClient } from "./client-form.tsx";
import { channelDoneText } from "#lib/messages/admin/channel";
import { KeySafety } from "./key-safety.tsx";
import { RightsMatrix } from "./rights-matrix.tsx";
import { TryCall, type TryCallFilter } from "./try-call.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function ChannelPage({ params, searchParams }: Props) {
  const { id } = await params;
  const person = await requirePerson(`/channels/${encodeURIComponent(id)}`);
  const ctx = contextOf(person);
  const [found, practices] = [await showChannel(ctx, { channelId: id }), await listPractices(ctx)];
  const people = await listPeople(ctx);
  if (!found.ok || !practices.ok || !people.ok) redirect("/not-found");
  const channel = found.value;
  const search = await searchParams;
  const done = channelDoneText(search.done);
  return (
    <Shell person={person} current="channels" title="Channel">
      <BackLink href="/channels">Channels</BackLink>
      <PageHeader
        title={<PlainText>{channel.name}</PlainText>}
        lead={<StatusBadge status={channel.status} />}
        actions={<Elsewhere channelId={channel.id} />}
      />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {done}
        </Notice>
      )}
      <IndexedSections places={placesOf(channel)}>
        <KeySafety channel={channel} practices={practices.value.length} />
        <ChannelKeys channel={channel} />
        <ChannelClient channel={channel} tokenUrl={tokenUrl()} />
        <RightsMatrix channel={channel} practices={practices.value} />
        <Trying ctx={ctx} channelId={channel.id} practices={practices.value} tried={triedIn(search)} />
        <Called ctx={ctx} channelId={channel.id} />
        <Webhooks ctx={ctx} channelId={channel.id} />
        <Settings channel={channel} practices={practices.value} people={people.value} />
      </IndexedSections>
    </Shell>
  );
}

function placesOf({ status }: ChannelRecord) {
  return [
    ["keys", "Keys"],
    ["client", "Signed by the agent"],
    ["effective", "Effective rights"],
    ["try", "Try a call"],
    ["calls", "Calls"],
    ["denied", "Denied calls"],
    ["webhooks", "Webhooks"],
    ["rights", "Rights"],
    ["limits", "Limits"],
    ["networks", "Networks"],
    ["owner", "Owner"],
    ["rename", "Rename"],
    ["state", status === "active" ? "Suspend" : "Resume"],
    ["facts", "Facts"],
  ] as const;
}

/** What became of it so far. */
function Elsewhere({ channelId }: { readonly channelId: string }) {
  return (
    <>
      <ButtonLink href={`/audit?channel=${channelId}`}>Record</ButtonLink>
      <ButtonLink href={`/channels/${channelId}/versions`}>Versions</ButtonLink>
    </>
  );
}

type OfChannel = { readonly ctx: Context; readonly channelId: string };

async function Trying({
  ctx,
  channelId,
  practices,
  tried,
}: OfChannel & { readonly practices: readonly PracticeRecord[]; readonly tried: TryCallFilter | undefined }) {
  const answer = tried && (await tryCall(ctx, { channelId, ...tried }));
  return <TryCall practices={practices} tried={tried} answer={answer} />;
}

async function Called({ ctx, channelId }: OfChannel) {
  const calls = await showChannelCalls(ctx, { channelId });
  return calls.ok && <ChannelCalls {...calls.value} />;
}

async function Webhooks({ ctx, channelId }: OfChannel) {
  const log = await showChannelWebhooks(ctx, { channelId });
  return log.ok && <ChannelWebhooks channelId={channelId} {...log.value} />;
}

/** The call that the page's address says is tried. */
function triedIn({ atom, practice, address }: Awaited<Props["searchParams"]>): TryCallFilter | undefined {
  if (typeof atom !== "string" || typeof practice !== "string") return undefined;
  return { atom, practiceId: practice, address: typeof address === "string" ? address.trim() : "" };
}

type SettingsProps = {
  readonly channel: ChannelRecord;
  readonly practices: readonly PracticeRecord[];
  readonly people: readonly PersonRecord[];
};

function Settings({ channel, practices, people }: SettingsProps) {
  return (
    <>
      <Section title="Rights" anchor="rights" aside="hold from its next call on">
        <RightsForm channel={channel} practices={practices.map(({ id: value, name }) => ({ id: value, name }))} />
      </Section>
      <Section title="Limits" anchor="limits" aside="over them a call is told to wait">
        <LimitsForm channel={channel} />
      </Section>
      <Section title="Networks" anchor="networks" aside="a call from elsewhere is denied">
        <NetworksForm channel={channel} />
      </Section>
      <Section title="Owner" anchor="owner" aside="never releases what it asks">
        <OwnerForm channel={channel} people={people.filter(({ status }) => status === "active")} />
      </Section>
      <Section title="Rename" anchor="rename">
        <RenameForm channel={channel} />
      </Section>
      <Section title={channel.status === "active" ? "Suspend" : "Resume"} anchor="state">
        <StatusForm channel={channel} />
      </Section>
      <Section title="Facts" anchor="facts">
        <Facts
          list={[
            { name: "Id", value: <code className="font-mono text-sm">{channel.id}</code> },
            { name: "Made", value: <Time at={channel.createdAt} as="full" /> },
          ]}
        />
      </Section>
    </>
  );
}
