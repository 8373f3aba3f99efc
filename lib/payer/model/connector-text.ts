const connectors: Readonly<Record<string, string>> = {
  manual: "hand",
  "pas-fhir": "PAS FHIR",
  "service-review": "service review",
};

/** By what a payer is reached, as pages and tables say it; the name itself of a connector this version does not have. */
export const connectorText = (connector: string): string => connectors[connector] ?? connector;
