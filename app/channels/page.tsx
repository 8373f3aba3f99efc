import Link from "next/link";
import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { Empty } from "#components/list/empty";
import { EnvironmentMark } from "#components/list/badge";
import { StatusBadge } from "#components/list/status-badge";
import { Cell, Row, Table } from "#components/list/table";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { PlainText } from "#components/text/plain-text";
import { Ago } from "#components/text/time";
import { keyWarnings } from "#lib/channel/key-warnings";
import { lastCallOf, listChannels, type ChannelRecord } from "#lib/channel/list-channels";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { now } from "#lib/platform/now";
import { listPractices } from "#lib/practice/list-practices";

export default async function ChannelsPage() {
  const person = await requirePerson("/channels");
  const ctx = contextOf(person);
  const [channels, practices] = [await listChannels(ctx), await listPractices(ctx)];
  if (!channels.ok || !practices.ok) redirect("/not-found");
  return (
    <Shell person={person} current="channels" title="Channels">
      <PageHeader
        title="Channels"
        lead="An agent's access: its API keys, the practices it can reach and what it may do there. No channel can release anything."
        actions={
          <ButtonLink href="/channels/new" tone="primary">
            New channel
          </ButtonLink>
        }
      />
      {channels.value.length > 0 ? (
        <ChannelTable list={channels.value} practiceCount={practices.value.length} />
      ) : (
        <Empty title="No channels yet">
          <p>Create a channel for your agent. You get an API key and a command to try it with.</p>
        </Empty>
      )}
    </Shell>
  );
}

type ListProps = { readonly list: readonly ChannelRecord[]; readonly practiceCount: number };

function ChannelTable({ list, practiceCount }: ListProps) {
  return (
    <Table
      caption="Channels by name"
      columns={[
        { name: "Channel", width: "md:w-[26%]" },
        { name: "Status", width: "md:w-28" },
        { name: "Practice access" },
        { name: "Active keys", width: "md:w-28" },
        { name: "Last call", width: "md:w-32" },
        { name: "Needs attention", width: "md:w-36" },
      ]}
    >
      {list.map((channel) => {
        const warnings = keyWarnings(channel, { practices: practiceCount, now: now() }).length;
        return (
          <Row key={channel.id} className="relative hover:bg-hover has-focus-visible:bg-hover">
            <Cell>
              <Link
                href={`/channels/${channel.id}`}
                prefetch={false}
                className="font-semibold row-link hover:underline"
              >
                <PlainText>{channel.name}</PlainText>
              </Link>
              <span className="block text-sm text-ink-faint">
                {channel.owner ? <PlainText>{channel.owner.name}</PlainText> : "No owner"}
              </span>
            </Cell>
            <Cell label="Status">
              <StatusBadge status={channel.status} />
              {channel.environment === "test" && <EnvironmentMark environment="test" />}
            </Cell>
            <Cell label="Practice access">
              <PracticeNames list={channel.practices} />
            </Cell>
            <Cell label="Active keys">{activeKeys(channel)}</Cell>
            <Cell label="Last call">
              <LastCall channel={channel} />
            </Cell>
            <Cell label="Needs attention">
              {warnings > 0 ? (
                <span className="font-semibold text-warn">{warnings === 1 ? "1 warning" : `${warnings} warnings`}</span>
              ) : (
                <span className="text-ink-faint">None</span>
              )}
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

/** Most practices a row names; the channel's page has them all. */
const namedMax = 2;

function PracticeNames({ list }: { readonly list: ChannelRecord["practices"] }) {
  if (list.length === 0) return <span className="text-ink-faint">None</span>;
  const more = list.length - namedMax;
  return (
    <>
      <PlainText>
        {list
          .slice(0, namedMax)
          .map(({ name }) => name)
          .join(", ")}
      </PlainText>
      {more > 0 && <span className="text-ink-faint"> and {more} more</span>}
    </>
  );
}

function activeKeys({ keys, client }: ChannelRecord): string {
  const count = keys.filter(({ live }) => live).length;
  const tokens = client?.live === true;
  if (count === 0) return tokens ? "Signed tokens" : "None";
  return tokens ? `${count}, signed tokens` : String(count);
}

function LastCall({ channel }: { readonly channel: ChannelRecord }) {
  const at = lastCallOf(channel);
  return at ? <Ago at={at} /> : <span className="text-ink-faint">Never</span>;
}
