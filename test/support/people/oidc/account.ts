/** What this service is to the provider. */
export const client = { id: "prior-authorization", secret: "tests-only-client-secret-of-the-provider" } as const;

/** How somebody signs in there, and what it says of them. */
export type Account = {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly acr?: string;
  readonly amr?: readonly string[];
};
