import { ActCode } from "#components/form/act-code";
import { ActSelect } from "#components/form/act-form";
import { settingFields, type ConnectorName, type SettingField } from "#lib/practice/route-settings";
import { settingLabels } from "#lib/messages/admin/connection-settings";

type FieldsProps = {
  readonly connector: ConnectorName;
  /** What is chosen so far, by name. */
  readonly settings: Readonly<Record<string, string>>;
};

/** What this connector lets a connection choose, a field each; nothing where it lets nothing be chosen. */
export function SettingFields({ connector, settings }: FieldsProps) {
  if (settingFields[connector].length === 0) return null;
  return (
    <fieldset>
      <legend className="sr-only">Settings of the connection</legend>
      <div className="grid items-start gap-x-8 gap-y-4 sm:grid-cols-2">
        {settingFields[connector].map((field) => (
          <Setting key={field.name} field={field} name={`setting.${field.name}`} value={settings[field.name]} />
        ))}
      </div>
    </fieldset>
  );
}

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
