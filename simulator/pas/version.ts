/** A published version of the PAS guide. */
export type PasVersion = "2.2.1" | "2.0.1";

/** Where each version is spoken; without a prefix it is the current one. */
export const basePaths = { "2.2.1": "/fhir", "2.0.1": "/fhir-2.0.1" } as const satisfies Record<PasVersion, string>;
