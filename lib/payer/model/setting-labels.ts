/** A connector's setting as people call it, with what there is to say of it. */
type Words = { readonly label: string; readonly hint?: string; readonly choices?: Readonly<Record<string, string>> };

const settings = {
  version: { label: "Release of the guide" },
  auth: {
    label: "We prove who we are by",
    choices: { bearer: "A fixed bearer credential", smart: "SMART Backend Services" },
  },
  tokenUrl: {
    label: "Token endpoint",
    hint: "Where tokens are given, https. Left empty, the payer's own configuration names it.",
  },
  clientId: { label: "Client id", hint: "What the other side calls us." },
  keyId: { label: "Key id", hint: "Under which the payer knows our public key, where it is not the key's own." },
  scope: { label: "Scope", hint: "With one space between several." },
  resend: {
    label: "What may have arrived and is not found",
    choices: { never: "A person settles it", "by-identity": "Goes again: the payer knows a request by its identifier" },
  },
  subscription: {
    label: "We hear of decisions by",
    choices: { none: "Asking alone", "rest-hook": "Asking, and the payer's notifications" },
  },
  senderId: { label: "Sender's id", hint: "What the payer knows our cases' sender by, such as its NPI." },
} as const satisfies Readonly<Record<string, Words>>;

/** What a setting is called; its own name where nobody named it. */
export function settingLabels(name: string): Words {
  const known: Readonly<Record<string, Words>> = settings;
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? { label: name };
}
