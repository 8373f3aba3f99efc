/** A field of the input that is wrong; `problem` completes a sentence that begins with the field's name. */
export type Issue = { readonly field: string; readonly problem: string };

/** Why an administrative act was refused. Nothing was written. */
export type AdminRefusal =
  /** The actor is no administrator; they learn nothing else. */
  | { readonly type: "not-authorised" }
  | {
      readonly type: "not-found";
      readonly what:
        | "practice"
        | "channel"
        | "key"
        | "webhook"
        | "delivery"
        | "person"
        | "route"
        | "payer"
        | "link"
        | "invitation"
        | "group"
        | "change";
    }
  | { readonly type: "invalid"; readonly issues: readonly Issue[] }
  | { readonly type: "taken"; readonly what: "practice" | "email" | "channel" | "identity" | "link" }
  /** The channel has two live keys already; the older one has to be revoked first. */
  | { readonly type: "two-live-keys" }
  /** The channel's live keys changed since the actor saw them. */
  | { readonly type: "keys-changed" }
  /** The state changed since the actor saw it. */
  | { readonly type: "changed-since" }
  /** There is a first administrator already; only that one is made without an administrator. */
  | { readonly type: "admin-exists" }
  /** The actor has to prove who they are first. */
  | { readonly type: "proof-needed" }
  /** The change would leave no administrator of every practice who can sign in. */
  | { readonly type: "last-admin" }
  /** People cannot give themselves a role. */
  | { readonly type: "own-rights" }
  /** The account is deactivated; it has to be activated first. */
  | { readonly type: "account-deactivated" }
  /** A group of the provider gives this role; it can only be removed from the group. */
  | { readonly type: "by-group" }
  /** The practice would require single sign-on, and the actor signed in another way. */
  | { readonly type: "sso-first" }
  /** No administrator of every practice is linked to the provider, so that all of them would be locked out. */
  | { readonly type: "admins-unlinked" }
  /** Too many passwords are being checked at this moment; nothing was done. */
  | { readonly type: "busy" }
  /** The person also works in practices that the actor does not administer. */
  | { readonly type: "beyond-reach" }
  /** A channel without a practice can do nothing; the caller has to say that this is meant. */
  | { readonly type: "no-practices" }
  /** The person is an administrator where a second one confirms who is; the role has to be taken away first. */
  | { readonly type: "second-admin-first" }
  /** A change is confirmed by somebody else than who asked for it. */
  | { readonly type: "own-request" }
  /** The change was decided meanwhile, or has expired. */
  | { readonly type: "request-over" }
  /** Until then, some process may still seal under the practice's older key. */
  | { readonly type: "key-too-new"; readonly practiceId: string; readonly until: Date };
