import { type ConnectorName, type Destination, isSupported } from "#lib/payer/model/destination";
import { pasFhir } from "#lib/payer/pas-fhir/connector";
import { serviceReview } from "#lib/payer/service-review/connector";
import type { Connector } from "./connector.ts";
import { manual } from "./manual.ts";

/** The implementation of each connector name; a name without an implementation does not compile. */
export const connectors = {
  manual,
  "pas-fhir": pasFhir,
  "service-review": serviceReview,
} as const satisfies { readonly [Name in ConnectorName]: Connector & { readonly name: ConnectorName } };

/** Whether files go to the payer over its connection. */
export function takesFiles(destination: Destination): boolean {
  return connectors[destination.connector].carriesFiles && isSupported(destination, "files");
}
