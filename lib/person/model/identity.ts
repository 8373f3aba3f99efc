/** An account of an OpenID Connect provider. */
export type Identity = { readonly issuer: string; readonly subject: string };

/** An account of the provider, and what the provider states about it. Only issuer, subject and groups are stored. */
export type SsoIdentity = Identity & {
  readonly groups: readonly string[];
  /** One of the values of `OIDC_MFA` was in the token. */
  readonly hasSecondFactor: boolean;
  /** When the provider last authenticated the person (`auth_time`), which may be before this sign-in. */
  readonly authTime?: Date | undefined;
};

/** The issuer with the slash that an address without a path may leave out, so that each issuer has one spelling. */
export function issuerName(issuer: string): string {
  return URL.parse(issuer)?.href ?? issuer;
}

/** Whether a text is a subject: up to 255 characters as in OpenID Connect Core, and none that a page cannot show. */
export function isSubject(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text);
}
