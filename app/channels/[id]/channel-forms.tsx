import { ActButton } from "#components/form/act-button";
import { ActBoxes, ActForm, ActSelect, ActText, ActTextArea } from "#components/form/act-form";
import { FieldGroup } from "#components/form/field";
import { permissionLabels } from "#lib/messages/admin/channel";
import { callsAtOnceMax, callsPerSecondMax } from "#lib/channel/channel-limits";
import { atoms } from "#lib/access/model/actor";
import { SubmitButton } from "#components/form/submit-button";
import type { ChannelRecord } from "#lib/channel/list-channels";
import { rename, resume, setLimits, setNetworks, setOwner, setRights, suspend } from "./actions.ts";

type Of = { readonly channel: ChannelRecord };

export function RightsForm({
  channel,
  practices,
}: Of & { readonly practices: readonly { readonly id: string; readonly name: string }[] }) {
  return (
    <ActForm act={setRights}>
      <input type="hidden" name="channelId" value={channel.id} />
      <div className="grid gap-x-8 gap-y-3.5 sm:grid-cols-2">
        <FieldGroup legend="Practice access">
          <ActBoxes
            name="practices"
            list={practices.map(({ id, name }) => ({ value: id, label: name, hint: id }))}
            ticked={channel.practices.map(({ id }) => id)}
          />
        </FieldGroup>
        <FieldGroup legend="Permissions">
          <ActBoxes
            name="atoms"
            list={atoms.map((atom) => ({
              value: atom,
              label: permissionLabels[atom].text,
              hint: permissionLabels[atom].opens,
            }))}
            ticked={channel.atoms}
          />
        </FieldGroup>
      </div>
      <div>
        <SubmitButton>Save permissions</SubmitButton>
      </div>
    </ActForm>
  );
}

export function LimitsForm({ channel }: Of) {
  return (
    <ActForm act={setLimits} className="grid max-w-sm gap-3.5">
      <input type="hidden" name="channelId" value={channel.id} />
      <ActText
        label="Calls per second"
        name="callsPerSecond"
        type="number"
        min={1}
        max={callsPerSecondMax}
        defaultValue={channel.callsPerSecond?.toString() ?? ""}
        hint="Over all servers together. Empty: as many as it can."
      />
      <ActText
        label="Calls at once"
        name="callsAtOnce"
        type="number"
        min={1}
        max={callsAtOnceMax}
        defaultValue={channel.callsAtOnce?.toString() ?? ""}
        hint="Under way at the same time. Empty: as many as it can."
      />
      <div>
        <SubmitButton>Save limits</SubmitButton>
      </div>
    </ActForm>
  );
}

export function NetworksForm({ channel }: Of) {
  return (
    <ActForm act={setNetworks} className="grid max-w-sm gap-3.5">
      <input type="hidden" name="channelId" value={channel.id} />
      <ActTextArea
        label="IP allowlist"
        name="networks"
        rows={3}
        defaultValue={channel.networks.join("\n")}
        spellCheck={false}
        className="font-mono text-sm"
        hint="Addresses or blocks, such as 203.0.113.0/24, one a line. Empty: from anywhere."
      />
      <div>
        <SubmitButton>Save allowlist</SubmitButton>
      </div>
    </ActForm>
  );
}

type Owner = { readonly email: string; readonly name: string };

/** Who answers for the channel, of everybody who can sign in. */
export function OwnerForm({ channel, people }: Of & { readonly people: readonly Owner[] }) {
  const options = people.map(({ email, name }) => ({ value: email, text: `${name} (${email})` }));
  return (
    <ActForm act={setOwner} className="grid max-w-sm gap-3.5">
      <input type="hidden" name="channelId" value={channel.id} />
      <ActSelect
        label="Owner"
        name="owner"
        options={[{ value: "", text: "No owner" }, ...options]}
        defaultValue={channel.owner?.email ?? ""}
        hint="The person responsible for this agent. The owner can decline its requests but never release them."
      />
      <div>
        <SubmitButton>Save owner</SubmitButton>
      </div>
    </ActForm>
  );
}

export function RenameForm({ channel }: Of) {
  return (
    <ActForm act={rename} className="grid max-w-sm gap-3.5">
      <input type="hidden" name="channelId" value={channel.id} />
      <ActText label="Name" name="name" required maxLength={100} autoComplete="off" defaultValue={channel.name} />
      <div>
        <SubmitButton>Rename</SubmitButton>
      </div>
    </ActForm>
  );
}

export function StatusForm({ channel }: Of) {
  const active = channel.status === "active";
  return (
    <ActButton
      act={active ? suspend : resume}
      about={{ channelId: channel.id }}
      tone={active ? "danger" : "plain"}
      says={
        active
          ? "Denies every key of this channel at once. What it asked for and nobody has sent yet waits until someone adopts it or the channel resumes."
          : "Its live keys work again, with the rights above."
      }
    >
      {active ? "Suspend" : "Resume"}
    </ActButton>
  );
}
