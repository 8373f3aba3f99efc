import { ActDialog } from "#components/form/act-dialog";
import { ActSelect } from "#components/form/act-form";
import { KeyDays } from "#components/form/key-days";
import { Badge } from "#components/list/badge";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { Ago, Time } from "#components/text/time";
import { keyDaysDefault, keyDaysMax } from "#lib/channel/key-terms";
import type { ChannelRecord, KeyRecord } from "#lib/channel/list-channels";
import { liveKeysMax } from "#lib/channel/rotate-key";
import { upcomingProof } from "#lib/person/session/person";
import { revoke, rotate } from "../actions.ts";

type Of = { readonly channel: ChannelRecord };

/** The channel's keys; of each only what tells it from the others. Past ones fold away. */
export function ApiKeys({ channel }: Of) {
  const live = channel.keys.filter((key) => key.live);
  const past = channel.keys.filter((key) => !key.live).toReversed();
  return (
    <Panel
      title="API keys"
      aside={`${live.length} of ${liveKeysMax} active`}
      actions={<CreateKey channel={channel} live={live} />}
      flush
    >
      {live.length > 0 ? (
        <Table
          caption="Active API keys"
          columns={[
            { name: "Key" },
            { name: "Status", width: "md:w-28" },
            { name: "Expires", width: "md:w-44" },
            { name: "Last used", width: "md:w-32" },
            { name: "Created", width: "md:w-36" },
            { name: "Revoke", width: "md:w-28", hidden: true },
          ]}
        >
          {live.map((key) => (
            <Row key={key.id}>
              <Cell>
                <KeyName of={key} />
              </Cell>
              <Cell label="Status">
                <Badge tone="good">Active</Badge>
              </Cell>
              <Cell label="Expires">
                <Time at={key.expiresAt} as="until" />
              </Cell>
              <Cell label="Last used">{key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : "Never"}</Cell>
              <Cell label="Created">
                <Time at={key.createdAt} as="day" />
              </Cell>
              <Cell className="md:text-end">
                <RevokeKey channelId={channel.id} of={key} isLast={live.length === 1} />
              </Cell>
            </Row>
          ))}
        </Table>
      ) : (
        <p className="p-4 text-ink-soft">No active key. Create one and give it to the agent.</p>
      )}
      {past.length > 0 && <PastKeys list={past} />}
    </Panel>
  );
}

function KeyName({ of: { id, lastFour } }: { readonly of: KeyRecord }) {
  return (
    <code className="font-mono text-sm wrap-anywhere">
      pa_{id}_…{lastFour}
    </code>
  );
}

function PastKeys({ list }: { readonly list: readonly KeyRecord[] }) {
  return (
    <details className="border-t border-line px-4 py-2.5">
      <summary className="text-ink-soft hover:text-ink">Expired and revoked ({list.length})</summary>
      <ul className="mt-2 grid gap-1.5">
        {list.map((key) => (
          <li key={key.id} className="flex flex-wrap gap-x-4 text-ink-soft">
            <KeyName of={key} />
            <span>
              {key.revokedAt ? "Revoked " : "Expired "}
              <Time at={key.revokedAt ?? key.expiresAt} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

type RevokeProps = { readonly channelId: string; readonly of: KeyRecord; readonly isLast: boolean };

function RevokeKey({ channelId, of: { id, lastFour }, isLast }: RevokeProps) {
  return (
    <ActDialog
      act={revoke}
      about={{ channelId, keyId: id }}
      label="Revoke"
      labelMore={`the key ending ${lastFour}`}
      tone="danger"
      title={`Revoke the key ending ${lastFour}?`}
      confirm="Revoke key"
      confirmTone="danger"
    >
      <p>
        Every call with this key is denied from now on. This can&rsquo;t be undone.
        {isLast && " It is the channel's only active key, so the agent stops working."}
      </p>
    </ActDialog>
  );
}

type CreateProps = Of & { readonly live: readonly KeyRecord[] };

async function CreateKey({ channel, live }: CreateProps) {
  const isFull = live.length >= liveKeysMax;
  const [oldest] = live;
  const current = live.at(-1);
  return (
    <ActDialog
      act={rotate}
      label={current ? "Rotate key" : "Create key"}
      tone="primary"
      title={current ? "Rotate API key" : "Create API key"}
      confirm={current ? "Create new key" : "Create key"}
      asks={await upcomingProof()}
    >
      <input type="hidden" name="channelId" value={channel.id} />
      {live.map(({ id }) => (
        <input key={id} type="hidden" name="liveKeys" value={id} />
      ))}
      {isFull && <input type="hidden" name="revokeOld" value="yes" />}
      <p className="text-ink-soft">
        {isFull && oldest
          ? `The channel has ${liveKeysMax} active keys, the most it can have. The one ending ${oldest.lastFour} is revoked at once.`
          : current
            ? "The current key keeps working for a grace period, so that you can switch the agent over."
            : "The agent sends this key with every call."}
      </p>
      <KeyDays initial={keyDaysDefault} most={keyDaysMax} />
      {current && (
        <ActSelect
          label="Grace period for the current key"
          name="overlap"
          defaultValue="24h"
          options={[
            { value: "0", text: "None: revoke it now" },
            { value: "1h", text: "1 hour" },
            { value: "24h", text: "24 hours" },
            { value: "7d", text: "7 days" },
          ]}
          hint={`For the key ending ${current.lastFour}.`}
        />
      )}
    </ActDialog>
  );
}
