import Link from "next/link";
import { redirect } from "next/navigation";
import { Empty } from "#components/empty";
import { PageHeader } from "#components/page-header";
import { PlainText } from "#components/plain-text";
import { Section } from "#components/section";
import { StatusBadge } from "#components/status-badge";
import { Shell } from "#components/shell";
import { Cell, Row, Table } from "#components/table";
import { listChannels, type ChannelRecord } from "#lib/admin/list-channels";
import { listPractices } from "#lib/admin/list-practices";
import { contextOf, requirePerson } from "#lib/auth/person";
import { atomWords } from "#lib/admin/atom-words";
import { NewChannel } from "./new-channel.tsx";

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
        <ChannelTable list={channels.value} />
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

function ChannelTable({ list }: { readonly list: readonly ChannelRecord[] }) {
  return (
    <Table caption="Channels by name" columns={["Channel", "State", "Practices", "May", "Live keys"]}>
      {list.map(({ id, name, status, practices, atoms, keys }) => (
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
            <Lines list={atoms.map((atom) => atomWords[atom].text)} />
          </Cell>
          <Cell label="Live keys">
            <Lines list={keys.filter(({ live }) => live).map(({ lastFour }) => `ends ${lastFour}`)} mono />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Lines({ list, mono = false }: { readonly list: readonly string[]; readonly mono?: boolean }) {
  if (list.length === 0) return <span className="text-ink-faint">none</span>;
  return (
    <ul className={mono ? "font-mono text-sm" : undefined}>
      {list.map((text) => (
        <li key={text}>
          <PlainText>{text}</PlainText>
        </li>
      ))}
    </ul>
  );
}
