import { ActCode } from "#components/form/act-code";
import { ActSelect } from "#components/form/act-form";
import type { RouteRecord } from "#lib/practice/list-practices";
import { settingFields, type SettingField } from "#lib/practice/route-settings";
import { settingLabels } from "#lib/messages/admin/connection-settings";

/** The connector's own fields are shown where it is the one that is chosen, scripts or not; others' are sent and not read. */
const groups = [
  { connector: "pas-fhir", shown: "hidden group-has-[option[value=pas-fhir]:checked]:block" },
  { connector: "service-review", shown: "hidden group-has-[option[value=service-review]:checked]:block" },
] as const;

/** What the chosen connector lets a route choose, a field each. */
export function SettingFields({ route }: { readonly route?: RouteRecord | undefined }) {
  return groups.map(({ connector, shown }) => (
    <fieldset key={connector} className={shown}>
      <legend className="sr-only">Settings of the connector</legend>
      <div className="grid items-start gap-x-8 gap-y-3.5 sm:grid-cols-2">
        {settingFields[connector].map((field) => (
          <Setting
            key={field.name}
            field={field}
            name={`${connector}.${field.name}`}
            value={route?.connector === connector ? route.settings[field.name] : undefined}
          />
        ))}
      </div>
    </fieldset>
  ));
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
