/** Who somebody is to an OpenID Connect provider. */
export type Identity = { readonly issuer: string; readonly subject: string };

/** Who somebody is to the provider, and what it says of them; nothing of it is kept but issuer, subject and groups. */
export type SsoIdentity = Identity & {
  readonly groups: readonly string[];
  /** By one of the values that `OIDC_MFA` lists. */
  readonly hasSecondFactor: boolean;
  /** When they last showed the provider who they are (`auth_time`); it may let a browser in that it knows. */
  readonly authTime?: Date | undefined;
};

/** One name for each issuer, with the slash that an address without a path may leave out. */
export function issuerName(issuer: string): string {
  return URL.parse(issuer)?.href ?? issuer;
}

/** As OpenID Connect Core bounds a subject, and without what no page can show. */
export function isSubject(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text);
}
