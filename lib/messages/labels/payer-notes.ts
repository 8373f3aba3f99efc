/** What a payer reads beside the provider's own notes, and in the subscription that it is asked for. */
export const payerNotes = {
  retrospective: (reason: string) => `Reason for the retrospective request: ${reason}`,
  emergency: (reason: string) => `Reason for the emergency: ${reason}`,
  subscription: "Decisions on the prior authorizations this system sent.",
} as const;
