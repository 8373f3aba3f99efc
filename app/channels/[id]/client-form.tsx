import { ActButton } from "#components/form/act-button";
import { ActCode, ActCodeArea } from "#components/form/act-code";
import { ActForm, ActText } from "#components/form/act-form";
import { Facts } from "#components/list/facts";
import { Section } from "#components/list/section";
import { SubmitButton } from "#components/form/submit-button";
import { Ago, Time } from "#components/text/time";
import { keyDaysMax } from "#lib/channel/key-terms";
import type { ChannelRecord } from "#lib/channel/list-channels";
import { revoke, setClient } from "./actions.ts";

type Props = { readonly channel: ChannelRecord; readonly tokenUrl: string };

/** For an agent that signs for itself: no secret of it is ever here. */
export function ChannelClient({ channel, tokenUrl }: Props) {
  const { client } = channel;
  return (
    <Section title="Signed by the agent" anchor="client" aside="in place of a key">
      <p className="mb-3 text-ink-soft">
        The agent keeps a private key and asks for tokens of five minutes, as SMART Backend Services does
        (private_key_jwt). Nothing that could be stolen here lets anybody in.
      </p>
      {client && <Client channelId={channel.id} client={client} tokenUrl={tokenUrl} />}
      <ActForm act={setClient} className="grid max-w-xl gap-3.5">
        <input type="hidden" name="channelId" value={channel.id} />
        <ActCode
          label="Where the agent publishes its public keys"
          name="jwksUrl"
          defaultValue={client?.url ?? ""}
          hint="An https address of a JWK set. It is asked again every minute to hour, as its answer says."
        />
        <ActCodeArea
          label="Or its public keys themselves"
          name="jwks"
          rows={4}
          hint={
            client
              ? "A JWK set. It takes the place of the keys above, and every token is denied at once."
              : "A JWK set: EC on P-384, Ed25519, or RSA of 3072 bits and more."
          }
        />
        <ActText
          label="Days these keys are good for"
          name="clientDays"
          type="number"
          required
          min={1}
          max={keyDaysMax}
          defaultValue={String(keyDaysMax)}
          className="max-w-32"
        />
        <div>
          <SubmitButton>{client ? "Replace keys" : "Save keys"}</SubmitButton>
        </div>
      </ActForm>
    </Section>
  );
}

type ClientProps = {
  readonly channelId: string;
  readonly client: NonNullable<ChannelRecord["client"]>;
  readonly tokenUrl: string;
};

function Client({ channelId, client, tokenUrl }: ClientProps) {
  return (
    <div className="mb-4">
      <Facts
        list={[
          { name: "Client ID", value: <code className="font-mono text-sm">{client.id}</code> },
          { name: "Token address", value: <code className="font-mono text-sm break-all">{tokenUrl}</code> },
          {
            name: "Public keys",
            value: <span className="font-mono text-sm break-all">{client.kids.join(", ")}</span>,
          },
          client.url === undefined
            ? undefined
            : { name: "Published at", value: <span className="font-mono text-sm break-all">{client.url}</span> },
          { name: "Ends", value: <Time at={client.expiresAt} as="until" /> },
          { name: "Last used", value: client.lastUsedAt ? <Ago at={client.lastUsedAt} /> : "Never" },
        ]}
      />
      <details className="mt-2">
        <summary className="font-semibold text-bad">Remove</summary>
        <ActButton
          act={revoke}
          about={{ channelId, keyId: client.id }}
          className="mt-2 grid gap-2"
          tone="danger"
          says="Every token it has is denied from then on."
        >
          Remove at once
        </ActButton>
      </details>
    </div>
  );
}
