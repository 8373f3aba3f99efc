import { ActBoxes, ActButtons, ActForm, ActText, ActTextArea } from "#components/form/act-form";
import { FieldGroup } from "#components/form/choice-fields";
import { SeenFields } from "#components/form/seen-fields";
import { SubmitButton } from "#components/form/submit-button";
import { atoms } from "#lib/access/model/actor";
import { callsAtOnceMax, callsPerSecondMax } from "#lib/channel/channel-limits";
import { accessText } from "#lib/channel/change-channel-access";
import type { ChannelRecord } from "#lib/channel/list-channels";
import { permissionLabels } from "#lib/messages/admin/channel";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { saveAccess } from "../actions.ts";

type Props = { readonly channel: ChannelRecord; readonly practices: readonly PracticeRecord[] };

/** One form and one save: what the change comes to is shown before it is made. */
export function AccessForm({ channel, practices }: Props) {
  return (
    <ActForm act={saveAccess} className="grid max-w-4xl gap-6">
      <input type="hidden" name="channelId" value={channel.id} />
      <SeenFields name="shown" seen={accessText(channel)}>
        <div className="grid gap-x-12 gap-y-6 md:grid-cols-2">
          <FieldGroup legend="Practice access">
            <div className="max-h-80 overflow-y-auto pe-1">
              <ActBoxes
                name="practices"
                list={practices.map((practice) => ({
                  value: practice.id,
                  label: practice.name,
                  hint: hintOf(practice),
                }))}
                ticked={channel.practices.map(({ id }) => id)}
              />
            </div>
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
        <div className="grid gap-x-12 gap-y-6 border-t border-line pt-6 md:grid-cols-2">
          <Limits channel={channel} />
          <ActTextArea
            label="IP allowlist"
            name="networks"
            rows={5}
            defaultValue={channel.networks.join("\n")}
            spellCheck={false}
            className="font-mono text-sm"
            hint="One address or block per line, such as 203.0.113.0/24. Leave empty to allow any address."
          />
        </div>
      </SeenFields>
      <ActButtons>
        <SubmitButton>Review changes</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}

function Limits({ channel }: Pick<Props, "channel">) {
  return (
    <div className="grid content-start gap-4">
      <ActText
        label="Rate limit (calls per second)"
        name="callsPerSecond"
        type="number"
        min={1}
        max={callsPerSecondMax}
        defaultValue={channel.callsPerSecond?.toString() ?? ""}
        hint="Over all servers together. Leave empty for no limit."
        className="max-w-40"
      />
      <ActText
        label="Concurrent calls"
        name="callsAtOnce"
        type="number"
        min={1}
        max={callsAtOnceMax}
        defaultValue={channel.callsAtOnce?.toString() ?? ""}
        hint="Calls in progress at the same time. Leave empty for no limit."
        className="max-w-40"
      />
    </div>
  );
}

function hintOf({ id, status, secondAdmin }: PracticeRecord): string {
  const marks = [id, status === "suspended" && "suspended", secondAdmin && "needs a second admin"];
  return marks.filter(Boolean).join(" · ");
}
