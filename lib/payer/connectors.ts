import type { ConnectorName } from "#lib/payer/model/destination";
import type { Connector } from "./connector.ts";
import { manual } from "./manual.ts";
import { pasFhir } from "#lib/payer/pas-fhir/connector";
import { serviceReview } from "#lib/payer/service-review/connector";

/** The implementation of each connector name; a name without an implementation does not compile. */
export const connectors = {
  manual,
  "pas-fhir": pasFhir,
  "service-review": serviceReview,
} as const satisfies { readonly [Name in ConnectorName]: Connector & { readonly name: ConnectorName } };
