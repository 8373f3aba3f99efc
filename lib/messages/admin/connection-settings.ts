/** The label of a connector's setting, with a hint and the labels of its choices. */
type SettingText = {
  readonly label: string;
  readonly hint?: string;
  readonly choices?: Readonly<Record<string, string>>;
};

const settings = {
  version: { label: "Guide version" },
  auth: {
    label: "Authentication method",
    choices: { bearer: "A fixed bearer credential", smart: "SMART Backend Services" },
  },
  tokenUrl: {
    label: "Token endpoint",
    hint: "An https address. Leave it empty to use the payer's published configuration.",
  },
  clientId: { label: "Client ID", hint: "Our identifier at the payer." },
  keyId: { label: "Key ID", hint: "The ID of our public key at the payer, if it differs from the key's own." },
  scope: { label: "Scope", hint: "Separate several with a space." },
  tokenAuth: {
    label: "Client ID and secret are sent",
    choices: { client_secret_post: "In the form", client_secret_basic: "In the header (Basic)" },
  },
  clientCertificate: {
    label: "Client certificate",
    hint: "For mutual TLS: base64, without its header lines. The credential is then JSON with clientSecret and privateKey (a JWK).",
  },
  resend: {
    label: "If a submission may have arrived and isn't found",
    choices: {
      never: "A reviewer resolves it",
      "by-identity": "Submit again: the payer recognizes a request by its identifier",
    },
  },
  subscription: {
    label: "Decision updates",
    choices: {
      none: "Polling",
      "rest-hook": "Polling and the payer's notifications",
      offered: "Polling, and notifications where the payer offers them",
    },
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
