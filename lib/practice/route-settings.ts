import type { ConnectorName } from "#lib/payer/model/destination";
import { connectors } from "#lib/payer/connectors";
import type { SettingField } from "#lib/payer/settings";

export type { ConnectorName, SettingField };

/** The settings of each connector. */
export const settingFields: Readonly<Record<ConnectorName, readonly SettingField[]>> = {
  manual: connectors.manual.settings,
  "pas-fhir": connectors["pas-fhir"].settings,
  "service-review": connectors["service-review"].settings,
};

export function isConnector(name: string): name is ConnectorName {
  return Object.hasOwn(settingFields, name);
}
