/** The payer wires this service speaks, by the name of the connector that speaks each. */
export type ConnectorName = "manual" | "pas-fhir" | "service-review";

/** How a practice reaches a payer: its route at one version; version 0 is the manual route nobody set. */
export type Destination = {
  readonly routeId: string;
  readonly version: number;
  readonly connector: ConnectorName;
  readonly payerId: string;
  readonly payerName?: string | undefined;
  readonly url?: string | undefined;
  readonly environment: "live" | "test";
  /** What this connector lets a route choose, by name; the connector says what each may be. */
  readonly settings: RouteSettings;
  /** Whose decision-time rules bind the payer here; unknown where absent. */
  readonly lineOfBusiness?: string | undefined;
  /** What the payer wants of every request beyond what the connector needs, as JSON pointers. */
  readonly requiredFields?: readonly string[] | undefined;
};

export type RouteSettings = Readonly<Record<string, string>>;

/** Which server a route reaches, and whether what is there is real. */
type Server = Pick<Destination, "connector" | "environment"> & { readonly url?: string | null | undefined };

/** Whether two versions of a route reach the same server of a payer: what was agreed with one holds for the other. */
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
