/** A field of the input that will not do; `problem` completes the sentence that begins with the field's name. */
export type Issue = { readonly field: string; readonly problem: string };

/** Why an administrative act was not done. Nothing was written then. */
export type AdminRefusal =
  /** Whoever asked is no admin; they are told nothing else. */
  | { readonly type: "not-authorised" }
  | {
      readonly type: "not-found";
      readonly what: "practice" | "channel" | "key" | "person" | "route" | "link" | "invitation" | "group";
    }
  | { readonly type: "invalid"; readonly issues: readonly Issue[] }
  | { readonly type: "taken"; readonly what: "practice" | "email" | "channel" | "identity" | "link" }
  /** A third live key is never made: the oldest has to go first. */
  | { readonly type: "two-live-keys" }
  /** The channel's live keys are not those whoever asked was shown. */
  | { readonly type: "keys-changed" }
  /** What stands is not what whoever asked was shown. */
  | { readonly type: "changed-since" }
  | { readonly type: "admin-exists" }
  /** Whoever asked has to prove first that it is them. */
  | { readonly type: "proof-needed" }
  /** Somebody has to be left who can sign in and administers every practice. */
  | { readonly type: "last-admin" }
  /** Nobody gives themselves a role. */
  | { readonly type: "own-rights" }
  /** A closed account is opened before anything else is done for it. */
  | { readonly type: "account-closed" }
  /** A group of the provider gives this role; it goes with the group. */
  | { readonly type: "by-group" }
  /** The practice asks for the provider, and whoever would shut out passwords came by one. */
  | { readonly type: "sso-first" }
  /** It would shut out everybody who administers every practice: none of them is linked to the provider. */
  | { readonly type: "admins-unlinked" }
  /** Too many passwords are looked at just now; nothing was done. */
  | { readonly type: "busy" }
  /** The person also works where whoever asks is no admin. */
  | { readonly type: "beyond-reach" };
