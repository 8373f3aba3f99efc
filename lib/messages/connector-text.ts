const connectors: Readonly<Record<string, string>> = {
  manual: "Manual submission",
  "pas-fhir": "PAS FHIR",
  "service-review": "Service review",
};

/** The text for a connector on pages and in tables; its name if this version does not know it. */
export const connectorText = (connector: string): string => connectors[connector] ?? connector;

/** How a payer can be reached, for whoever sets up a payer connection. */
export const connectionChoices = [
  { value: "manual", text: "Manual submission: a person uses the portal, fax or phone" },
  { value: "pas-fhir", text: "PAS FHIR: the payer's own Da Vinci PAS server" },
  { value: "service-review", text: "Service review: a clearinghouse's API" },
] as const;
