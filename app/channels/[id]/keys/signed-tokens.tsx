import { ActCode, ActCodeArea } from "#components/form/act-code";
import { ActDialog } from "#components/form/act-dialog";
import { ActText } from "#components/form/act-form";
import { CopyButton } from "#components/form/copy-button";
import { Facts } from "#components/list/facts";
import { Panel } from "#components/list/panel";
import { Ago, Time } from "#components/text/time";
import { keyDaysMax } from "#lib/channel/key-terms";
import type { ChannelRecord } from "#lib/channel/list-channels";
import { upcomingProof } from "#lib/person/session/person";
import { revoke, setClient } from "../actions.ts";

type Of = { readonly channel: ChannelRecord };

/** For an agent that signs for itself: no secret of it is ever here. */
export function SignedTokens({ channel, tokenUrl }: Of & { readonly tokenUrl: string }) {
  const { client } = channel;
  return (
    <Panel
      title="Signed tokens"
      aside={client ? "private_key_jwt" : "Not set up"}
      actions={
        <>
          {client && <RemoveKeys channelId={channel.id} clientId={client.id} />}
          <SetKeys channel={channel} />
        </>
      }
    >
      {client ? (
        <Facts
          list={[
            { name: "Client ID", value: <Copied text={client.id} of="client ID" /> },
            { name: "Token endpoint", value: <Copied text={tokenUrl} of="token endpoint" /> },
            { name: "Public keys", value: <span className="font-mono text-sm">{client.kids.join(", ")}</span> },
            client.url === undefined
              ? undefined
              : { name: "JWK set URL", value: <span className="font-mono text-sm">{client.url}</span> },
            { name: "Expires", value: <Time at={client.expiresAt} as="until" /> },
            { name: "Last used", value: client.lastUsedAt ? <Ago at={client.lastUsedAt} /> : "Never" },
          ]}
        />
      ) : (
        <p className="max-w-prose text-ink-soft">
          Instead of an API key, the agent can keep a private key and request tokens that last five minutes, as in SMART
          Backend Services. Then no secret of the agent is stored here.
        </p>
      )}
    </Panel>
  );
}

function Copied({ text, of }: { readonly text: string; readonly of: string }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <code className="font-mono text-sm wrap-anywhere">{text}</code>
      <CopyButton text={text} of={of} />
    </span>
  );
}

async function SetKeys({ channel: { id, client } }: Of) {
  return (
    <ActDialog
      act={setClient}
      about={{ channelId: id }}
      label={client ? "Replace keys" : "Set up"}
      title={client ? "Replace public keys" : "Set up signed tokens"}
      confirm="Save public keys"
      asks={await upcomingProof()}
    >
      <ActCode
        label="JWK set URL"
        name="jwksUrl"
        defaultValue={client?.url ?? ""}
        hint="An https address where the agent publishes its public keys."
      />
      <ActCodeArea
        label="Or public keys"
        name="jwks"
        rows={4}
        hint={
          client
            ? "A JWK set. It replaces the current keys, and every issued token is denied at once."
            : "A JWK set: EC on P-384, Ed25519, or RSA with at least 3,072 bits."
        }
      />
      <ActText
        label="Expires after (days)"
        name="clientDays"
        type="number"
        required
        min={1}
        max={keyDaysMax}
        defaultValue={String(keyDaysMax)}
        className="max-w-32"
      />
    </ActDialog>
  );
}

function RemoveKeys({ channelId, clientId }: { readonly channelId: string; readonly clientId: string }) {
  return (
    <ActDialog
      act={revoke}
      about={{ channelId, keyId: clientId }}
      label="Remove"
      labelMore="the public keys"
      tone="danger"
      title="Remove the public keys?"
      confirm="Remove keys"
      confirmTone="danger"
    >
      <p>The agent can no longer request tokens, and every issued token is denied from now on.</p>
    </ActDialog>
  );
}
