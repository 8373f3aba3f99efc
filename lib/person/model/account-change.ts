/** A change in how a person signs in, of which the service informs them by mail. */
export type AccountChange =
  | "passkey-added"
  | "passkey-removed"
  | "app-added"
  | "app-removed"
  | "codes-made"
  | "code-used"
  | "reset"
  | "password-chosen"
  | "linked"
  | "unlinked";
