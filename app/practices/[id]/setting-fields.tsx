import { ActCode } from "#components/form/act-code";
import { ActMore, ActSelect } from "#components/form/act-form";
import { settingFields, type ConnectorName, type SettingField } from "#lib/practice/route-settings";
import { settingLabels } from "#lib/messages/admin/connection-settings";

type FieldsProps = {
  readonly connector: ConnectorName;
  /** What is chosen so far, by name. */
  readonly settings: Readonly<Record<string, string>>;
};

/**
 * What this connector lets a connection choose, a field each; nothing where it lets nothing be chosen. What can be left
 * as it is stands folded away.
 */
export function SettingFields({ connector, settings }: FieldsProps) {
  const fields = settingFields[connector];
  if (fields.length === 0) return null;
  const isFirst = ({ name, required }: SettingField) => required || firstAnyway.includes(name);
  const others = fields.filter((field) => !isFirst(field));
  const grid = (list: readonly SettingField[]) => (
    <div className="grid items-start gap-x-8 gap-y-4 sm:grid-cols-2">
      {list.map((field) => (
        <Setting key={field.name} field={field} name={nameOf(field)} value={settings[field.name]} />
      ))}
    </div>
  );
  return (
    <fieldset className="grid gap-5">
      <legend className="sr-only">Settings of the connection</legend>
      {grid(fields.filter(isFirst))}
      {others.length > 0 && (
        <ActMore
          summary="Advanced settings"
          names={others.map(nameOf)}
          open={others.some(({ name, standard }) => (settings[name] ?? standard) !== standard)}
        >
          <div className="mt-3">{grid(others)}</div>
        </ActMore>
      )}
    </fieldset>
  );
}

/** Shown beside what is required: on it depends what else is. */
const firstAnyway: readonly string[] = ["auth"];
const nameOf = ({ name }: SettingField) => `setting.${name}`;

type Props = { readonly field: SettingField; readonly name: string; readonly value: string | undefined };

function Setting({ field: { name: setting, choices, standard, required }, name, value }: Props) {
  const { label, hint, choices: texts } = settingLabels(setting);
  if (choices) {
    const options = choices.map((choice) => ({
      value: choice === standard ? "" : choice,
      text: texts?.[choice] ?? choice,
    }));
    return (
      <ActSelect
        label={label}
        name={name}
        options={options}
        defaultValue={value === undefined || value === standard ? "" : value}
      />
    );
  }
  return (
    <ActCode
      label={label}
      name={name}
      defaultValue={value ?? ""}
      hint={required ? hint?.replace(/ Left empty,.*$/, "") : hint}
    />
  );
}
