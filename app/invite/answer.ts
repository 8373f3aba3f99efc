/** What the page shows: the link's code to be given, the password to be chosen, or that it is done. */
export type LinkAnswer = {
  readonly step: "code" | "choose" | "done";
  readonly code: string;
  readonly email: string;
  readonly name: string;
  readonly isInvitation: boolean;
  /** A password would open nothing: the provider alone lets in where they work. */
  readonly isPasswordShut: boolean;
  readonly alert?: string | undefined;
  readonly problems: Readonly<Record<string, string>>;
};

export const noLink: LinkAnswer = {
  step: "code",
  code: "",
  email: "",
  name: "",
  isInvitation: true,
  isPasswordShut: false,
  problems: {},
};
