/** What the page shows: the link's code to be given, the password to be chosen, or that it is done. */
export type LinkAnswer = {
  readonly step: "code" | "choose" | "done";
  readonly code: string;
  readonly email: string;
  readonly name: string;
  readonly isInvitation: boolean;
  readonly alert?: string | undefined;
  readonly problems: Readonly<Record<string, string>>;
};

export const noLink: LinkAnswer = { step: "code", code: "", email: "", name: "", isInvitation: true, problems: {} };
