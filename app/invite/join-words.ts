const over = "This link has ended: it works for 72 hours. Ask your administrator for another.";
const gone =
  "This link does not work any more. It was used, withdrawn, a newer one was sent, or what it is for has changed since. Look for a newer mail, or ask your administrator for another.";

/** Why a link does not work. */
export const linkText = { "link-over": over, "link-gone": gone } as const;

const refusals: Readonly<Record<string, (label: string) => string>> = {
  "link-over": () => over,
  "link-gone": () => gone,
  name: () => "Nothing was done: write your name, in one line of up to 100 characters.",
  taken: (label) =>
    `The account you used at ${label} is linked to somebody else here, so nothing was done. Use your own account there, or ask your administrator.`,
  another: (label) =>
    `You are to use another account at ${label} than this one: your administrator linked it already. Nothing was done.`,
};

/** Why nobody took up the link through the provider; undefined for what is no word of this page. */
export function joinRefusalText(why: string, label: string): string | undefined {
  return Object.hasOwn(refusals, why) ? refusals[why]?.(label) : undefined;
}
