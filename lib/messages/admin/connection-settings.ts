/** The label of a connector's setting, with a hint and the labels of its choices. */
type SettingText = {
  readonly label: string;
  readonly hint?: string;
  readonly choices?: Readonly<Record<string, string>>;
};

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
  senderId: { label: "Sender ID", hint: "How the payer identifies the sending system, such as an NPI." },
  subscriptionFilter: {
    label: "Name of the notification filter",
    choices: {
      orgIdentifier: "orgIdentifier (the guide's example)",
      "org-identifier": "org-identifier (the guide's text)",
    },
  },
  memberIdSystem: {
    label: "Member ID system",
    hint: "The URI under which this payer assigns member IDs. Ask the payer.",
  },
  payerIdSystem: { label: "Payer ID system", hint: "The URI of the system the payer ID belongs to. Ask the payer." },
} as const satisfies Readonly<Record<string, SettingText>>;

/** The texts of a setting; its name if the setting has none. */
export function settingLabels(name: string): SettingText {
  const known: Readonly<Record<string, SettingText>> = settings;
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? { label: name };
}
