import type { Environment } from "#lib/task/model/environment";
import type { Support } from "./support.ts";

/** The names of the connectors, one for each payer protocol. */
export const connectorNames = ["manual", "pas-fhir", "service-review"] as const;
export type ConnectorName = (typeof connectorNames)[number];

/** How a practice reaches a payer: one version of its route. Version 0 is the manual route when none is configured. */
export type Destination = {
  readonly routeId: string;
  readonly version: number;
  readonly connector: ConnectorName;
  readonly payerId: string;
  readonly payerName?: string | undefined;
  readonly url?: string | undefined;
  readonly environment: Environment;
  /** The connector's settings by name; the connector defines their values. */
  readonly settings: RouteSettings;
  /** The line of business whose decision-time rules bind the payer; unknown when absent. */
  readonly lineOfBusiness?: string | undefined;
  /** JSON pointers of the members that the payer requires beyond those of the connector. */
  readonly requiredFields?: readonly string[] | undefined;
  /** What the payer takes over its connection, by the practice's directory; where absent, all that the connector has. */
  readonly supports?: readonly Support[] | undefined;
  /** The payer that the request names, where it has this one review it. */
  readonly delegatedBy?: { readonly id: string; readonly name?: string | undefined } | undefined;
};

/** Whether the payer takes this over its connection, as far as the directory says. */
export function isSupported({ supports }: Pick<Destination, "supports">, what: Support): boolean {
  return supports === undefined || supports.includes(what);
}

export type RouteSettings = Readonly<Record<string, string>>;

/** The server that a route reaches, and its environment. */
type Server = Pick<Destination, "connector" | "environment"> & { readonly url?: string | null | undefined };

/** Whether two versions of a route reach the same server, so that a subscription of one also holds for the other. */
export function isSameServer(one: Server, other: Server): boolean {
  return (
    one.connector === other.connector &&
    one.environment === other.environment &&
    originOf(one.url) === originOf(other.url)
  );
}

/** The origin of an address; undefined where there is none. */
export function originOf(url: string | null | undefined): string | undefined {
  return URL.parse(url ?? "")?.origin;
}
