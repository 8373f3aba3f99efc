const connectors: Readonly<Record<string, string>> = {
  manual: "Manual submission",
  "pas-fhir": "PAS FHIR",
  "service-review": "Service review",
};

/** The text for a connector on pages and in tables; its name if this version does not know it. */
export const connectorText = (connector: string): string => connectors[connector] ?? connector;
