import { ActForm, ActSelect } from "#components/form/act-form";
import { Badge } from "#components/list/badge";
import { KeyDays } from "#components/form/key-days";
import { Section } from "#components/list/section";
import { SubmitButton } from "#components/form/submit-button";
import { Cell, Row, Table } from "#components/list/table";
import { Ago, Time } from "#components/text/time";
import { keyDaysDefault, keyDaysMax } from "#lib/channel/key-terms";
import type { ChannelRecord, KeyRecord } from "#lib/channel/list-channels";
import { liveKeysMax } from "#lib/channel/rotate-key";
import { revoke, rotate } from "./actions.ts";

type Of = { readonly channel: ChannelRecord };

/** The channel's keys, the live ones first; of each only what tells it from the others. */
export function ChannelKeys({ channel }: Of) {
  const live = channel.keys.filter((key) => key.live);
  const past = channel.keys.filter((key) => !key.live).toReversed();
  return (
    <Section title="Keys" anchor="keys" aside={`${live.length} live, at most ${liveKeysMax}`}>
      {channel.keys.length > 0 && (
        <Table
          caption="Keys, the live ones first"
          columns={["Key", "State", "Ends", "Last used", "Made", { name: "Revoke", hidden: true }]}
        >
          {[...live, ...past].map((key) => (
            <KeyRow key={key.id} of={key} channelId={channel.id} />
          ))}
        </Table>
      )}
      <div className="mt-4">
        <RotateForm channel={channel} live={live} />
      </div>
    </Section>
  );
}

function KeyRow({ of, channelId }: { readonly of: KeyRecord; readonly channelId: string }) {
  const { id, lastFour, createdAt, lastUsedAt, live } = of;
  return (
    <Row>
      <Cell>
        <code className="font-mono text-sm">
          pa_{id}_…{lastFour}
        </code>
      </Cell>
      <Cell label="State">
        <KeyState of={of} />
      </Cell>
      <Cell label="Ends">{live && <KeyEnd of={of} />}</Cell>
      <Cell label="Last used">{lastUsedAt ? <Ago at={lastUsedAt} /> : "Never"}</Cell>
      <Cell label="Made">
        <Time at={createdAt} />
      </Cell>
      <Cell className="md:text-end">
        {live && (
          <details>
            <summary className="font-semibold text-bad">
              Revoke<span className="sr-only"> the key ending {lastFour}</span>
            </summary>
            <ActForm act={revoke} className="mt-2 grid gap-2 md:justify-items-end">
              <input type="hidden" name="channelId" value={channelId} />
              <input type="hidden" name="keyId" value={id} />
              <p className="text-sm text-ink-soft">From then on every call with it is denied. It cannot be undone.</p>
              <SubmitButton tone="danger" aria-label={`Revoke at once the key ending ${lastFour}`}>
                Revoke at once
              </SubmitButton>
            </ActForm>
          </details>
        )}
      </Cell>
    </Row>
  );
}

function KeyState({ of: { live, revokedAt, expiresAt } }: { readonly of: KeyRecord }) {
  if (live) return <Badge tone="good">Live</Badge>;
  const [word, at] = revokedAt ? ["Revoked", revokedAt] : ["Expired", expiresAt];
  return (
    <span className="text-ink-faint">
      {word} <Time at={at} />
    </span>
  );
}

function KeyEnd({ of: { expiresAt } }: { readonly of: KeyRecord }) {
  return <Time at={expiresAt} as="until" />;
}

function RotateForm({ channel, live }: Of & { readonly live: readonly KeyRecord[] }) {
  const full = live.length >= liveKeysMax;
  const [oldest] = live;
  const inUse = live.at(-1);
  return (
    <ActForm act={rotate} className="grid gap-2.5">
      <input type="hidden" name="channelId" value={channel.id} />
      {live.map(({ id }) => (
        <input key={id} type="hidden" name="liveKeys" value={id} />
      ))}
      {full && <input type="hidden" name="revokeOld" value="yes" />}
      <p className="text-ink-soft">
        {full && oldest
          ? `Makes a new key, and revokes the one ending ${oldest.lastFour} at once: there are never more than ${liveKeysMax}.`
          : live.length > 0
            ? "Makes a second key. The one in use works on for the time you choose, so that the agent can change over."
            : "Makes a key. Until then no key speaks for this channel."}
      </p>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <KeyDays initial={keyDaysDefault} most={keyDaysMax} />
        {inUse && (
          <ActSelect
            label="The key in use works on for"
            name="overlap"
            defaultValue="24h"
            options={[
              { value: "0", text: "No time: revoke it at once" },
              { value: "1h", text: "1 hour" },
              { value: "24h", text: "24 hours" },
              { value: "7d", text: "7 days" },
            ]}
            hint={`The one ending ${inUse.lastFour}.`}
          />
        )}
      </div>
      <div>
        <SubmitButton tone={full ? "danger" : "plain"}>Rotate</SubmitButton>
      </div>
    </ActForm>
  );
}
