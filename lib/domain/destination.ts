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
