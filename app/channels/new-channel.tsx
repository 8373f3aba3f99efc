import { ActBoxes, ActForm, ActText } from "#components/form/act-form";
import { FieldGroup } from "#components/form/field";
import { permissionLabels } from "#lib/messages/admin/channel";
import { keyDaysDefault, keyDaysMax } from "#lib/channel/key-terms";
import { atoms } from "#lib/access/model/actor";
import { SubmitButton } from "#components/form/submit-button";
import { KeyDays } from "#components/form/key-days";
import { makeChannel } from "./actions.ts";

type Props = {
  /** Of the channel to be made, so that pressing twice makes one. */
  readonly channelId: string;
  readonly practices: readonly { readonly id: string; readonly name: string }[];
};

export function NewChannel({ channelId, practices }: Props) {
  return (
    <ActForm act={makeChannel}>
      <input type="hidden" name="channelId" value={channelId} />
      <ActText
        label="Name"
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        hint="What people here call the agent."
      />
      <FieldGroup legend="Practice access">
        <ActBoxes name="practices" list={practices.map(({ id, name }) => ({ value: id, label: name, hint: id }))} />
      </FieldGroup>
      <FieldGroup legend="Permissions">
        <ActBoxes
          name="atoms"
          list={atoms.map((atom) => ({
            value: atom,
            label: permissionLabels[atom].text,
            hint: permissionLabels[atom].opens,
          }))}
          ticked={["prior_auth_intake", "tasks_get"]}
        />
      </FieldGroup>
      <KeyDays initial={keyDaysDefault} most={keyDaysMax} />
      <div>
        <SubmitButton tone="primary">Make channel</SubmitButton>
      </div>
    </ActForm>
  );
}
