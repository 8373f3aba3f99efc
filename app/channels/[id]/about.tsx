import { ActDialog } from "#components/form/act-dialog";
import { ActSelect, ActText } from "#components/form/act-form";
import { CopyButton } from "#components/form/copy-button";
import { Facts } from "#components/list/facts";
import { Panel } from "#components/list/panel";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import type { ChannelRecord } from "#lib/channel/list-channels";
import { permissionLabels } from "#lib/messages/admin/channel";
import { upcomingProof } from "#lib/person/session/person";
import { rename, setOwner } from "./actions.ts";

type Of = { readonly channel: ChannelRecord };
type Props = Of & { readonly people: readonly { readonly email: string; readonly name: string }[] };

/** What the channel is called, who answers for it, and what it may do in a glance. */
export function About({ channel, people }: Props) {
  return (
    <Panel title="About" anchor="about">
      <Facts
        slim
        list={[
          {
            name: "Channel ID",
            value: (
              <span className="flex items-center justify-between gap-2">
                <code className="font-mono text-sm wrap-anywhere">{channel.id}</code>
                <CopyButton text={channel.id} of="channel ID" />
              </span>
            ),
          },
          {
            name: "Owner",
            value: channel.owner ? (
              <PlainText>{`${channel.owner.name}, ${channel.owner.email}`}</PlainText>
            ) : (
              "No owner"
            ),
          },
          {
            name: "Practices",
            value:
              channel.practices.length === 0 ? (
                "None"
              ) : (
                <PlainText>{channel.practices.map(({ name }) => name).join(", ")}</PlainText>
              ),
          },
          { name: "Permissions", value: channel.atoms.map((atom) => permissionLabels[atom].text).join(", ") },
          { name: "Rate limit", value: rateText(channel) },
          { name: "Created", value: <Time at={channel.createdAt} as="day" /> },
        ]}
      />
      <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
        <OwnerDialog channel={channel} people={people} />
        <ActDialog
          act={rename}
          about={{ channelId: channel.id }}
          label="Rename"
          title="Rename channel"
          confirm="Save name"
        >
          <ActText label="Name" name="name" required maxLength={100} autoComplete="off" defaultValue={channel.name} />
        </ActDialog>
      </div>
    </Panel>
  );
}

function rateText({ callsPerSecond, callsAtOnce }: ChannelRecord): string {
  const rate = callsPerSecond === undefined ? "None" : `${callsPerSecond} calls per second`;
  return callsAtOnce === undefined ? rate : `${rate}, ${callsAtOnce} at the same time`;
}

async function OwnerDialog({ channel, people }: Props) {
  const options = people.map(({ email, name }) => ({ value: email, text: `${name} (${email})` }));
  return (
    <ActDialog
      act={setOwner}
      about={{ channelId: channel.id }}
      label={channel.owner ? "Change owner" : "Set owner"}
      title="Channel owner"
      confirm="Save owner"
      asks={await upcomingProof()}
    >
      <ActSelect
        label="Owner"
        name="owner"
        options={[{ value: "", text: "No owner" }, ...options]}
        defaultValue={channel.owner?.email ?? ""}
        hint="The person responsible for this agent. The owner can decline its requests but never release them."
      />
    </ActDialog>
  );
}
