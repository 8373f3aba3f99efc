/** One document or answer that a payer requests. `line` is the sequence of the procedure it is about. */
export type RequestedItem = {
  readonly kind: "document" | "answer";
  /** The payer's code for it, with the list it is from: LOINC, X12 755 (PWK01) or the payer's own. */
  readonly code?: { readonly system: "loinc" | "pwk" | "payer"; readonly value: string } | undefined;
  /** Our own text for the code, or the payer's if it sent one. */
  readonly label?: string | undefined;
  readonly line?: number | undefined;
  /** An identifier that the payer wants returned with it, so that it finds the case again. */
  readonly trace?: string | undefined;
};

/** What a payer requests before it decides, as the agent and the reviewer see it. */
export type InformationRequest = {
  /** The payer's text, or ours if it sent only codes. */
  readonly text: string;
  readonly items: readonly RequestedItem[];
  /** Calendar date YYYY-MM-DD or RFC 3339 instant, as the payer gave it. */
  readonly dueBy?: string | undefined;
};
