import { connectors } from "#lib/payer/connectors";
import type { ConnectorName, RouteSettings } from "#lib/payer/model/destination";
import type { PracticeRecord } from "#lib/practice/shared/practices";

/**
 * The settings with which a payer connection begins: notifications where the payer offers them, for the cases that the
 * practice sends by its NPI. What is chosen already stays as it is.
 */
export function withOfferedNotifications(
  settings: RouteSettings,
  { connector, npi }: { readonly connector: ConnectorName } & Pick<PracticeRecord, "npi">,
): RouteSettings {
  if (!connectors[connector].pushes || settings["subscription"] !== undefined) return settings;
  return { ...(npi === undefined ? {} : { senderId: npi }), ...settings, subscription: "offered" };
}
