import Link from "next/link";
import { redirect } from "next/navigation";
import { Empty } from "#components/list/empty";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { StatusBadge } from "#components/list/status-badge";
import { Shell } from "#components/shell/shell";
import { Cell, Row, Table } from "#components/list/table";
import { Ago, Time } from "#components/text/time";
import { keyWarnings } from "#lib/channel/key-warnings";
import { listChannels, type ChannelRecord } from "#lib/channel/list-channels";
import { listPractices } from "#lib/practice/list-practices";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { permissionLabels } from "#lib/messages/admin/channel";
import { NewChannel } from "./new-channel.tsx";
import { now } from "#lib/platform/now";

export default async function ChannelsPage() {
  const person = await requirePerson("/channels");
  const ctx = contextOf(person);
  const [channels, practices] = [await listChannels(ctx), await listPractices(ctx)];
  if (!channels.ok || !practices.ok) redirect("/not-found");
  return (
    <Shell person={person} current="channels" title="Channels">
      <PageHeader
        title="Channels"
        lead="Each agent has a channel: the practices it reaches, and what it may do there. Nothing a channel may do releases anything; that takes a person."
      />
      {channels.value.length > 0 ? (
        <ChannelTable list={channels.value} practiceCount={practices.value.length} />
      ) : (
        <Empty title="No channel yet">
          <p>Make the first one below, and give its key to the agent.</p>
        </Empty>
      )}
      <div className="mt-8 max-w-2xl">
        <Section title="New channel">
          {practices.value.length > 0 ? (
            <NewChannel
              channelId={crypto.randomUUID()}
              practices={practices.value.map(({ id, name }) => ({ id, name }))}
            />
          ) : (
            <p className="text-ink-soft">
              A channel reaches practices.{" "}
              <Link href="/practices" prefetch={false} className="underline">
                Make one first
              </Link>
              .
            </p>
          )}
        </Section>
      </div>
    </Shell>
  );
}

type ListProps = { readonly list: readonly ChannelRecord[]; readonly practiceCount: number };

function ChannelTable({ list, practiceCount }: ListProps) {
  return (
    <Table caption="Channels by name" columns={["Channel", "State", "Practices", "May", "Live keys", "Last used"]}>
      {list.map((channel) => {
        const { id, name, status, practices, atoms } = channel;
        return (
          <Row key={id} className="relative hover:bg-hover has-focus-visible:bg-hover">
            <Cell>
              <Link
                href={`/channels/${id}`}
                prefetch={false}
                className="font-semibold after:absolute after:inset-0 hover:underline"
              >
                <PlainText>{name}</PlainText>
              </Link>
            </Cell>
            <Cell label="State">
              <StatusBadge status={status} />
            </Cell>
            <Cell label="Practices">
              <Lines list={practices.map((practice) => practice.name)} />
            </Cell>
            <Cell label="May">
              <Lines list={atoms.map((atom) => permissionLabels[atom].text)} />
            </Cell>
            <Cell label="Live keys">
              <LiveKeys channel={channel} />
              <Warnings count={keyWarnings(channel, { practices: practiceCount, now: now() }).length} />
            </Cell>
            <Cell label="Last used">
              <LastUsed channel={channel} />
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

type Of = { readonly channel: ChannelRecord };

/** What speaks for the channel now, and until when. */
function LiveKeys({ channel: { keys, client } }: Of) {
  const live = keys.filter((key) => key.live);
  const signs = client?.live === true ? client : undefined;
  if (live.length === 0 && !signs) return <span className="text-ink-faint">none</span>;
  return (
    <ul>
      {live.map(({ id, lastFour, expiresAt }) => (
        <li key={id}>
          <code className="font-mono text-sm">…{lastFour}</code> <Until at={expiresAt} />
        </li>
      ))}
      {signs && (
        <li>
          signs for itself <Until at={signs.expiresAt} />
        </li>
      )}
    </ul>
  );
}

function Until({ at }: { readonly at: Date | undefined }) {
  return (
    <span className="text-sm text-ink-faint">
      {at ? (
        <>
          ends <Time at={at} as="until" />
        </>
      ) : (
        "never ends"
      )}
    </span>
  );
}

function Warnings({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return <p className="text-sm text-warn">{count === 1 ? "1 warning" : `${count} warnings`}</p>;
}

/** By any of its keys, also of those that are over. */
function LastUsed({ channel: { keys, client } }: Of) {
  const used = [...keys, ...(client ? [client] : [])].flatMap(({ lastUsedAt }) => lastUsedAt?.getTime() ?? []);
  return used.length === 0 ? <span className="text-ink-faint">Never</span> : <Ago at={new Date(Math.max(...used))} />;
}

function Lines({ list }: { readonly list: readonly string[] }) {
  if (list.length === 0) return <span className="text-ink-faint">none</span>;
  return (
    <ul>
      {list.map((text) => (
        <li key={text}>
          <PlainText>{text}</PlainText>
        </li>
      ))}
    </ul>
  );
}
