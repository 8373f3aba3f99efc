type MentionedPerson = { readonly id: string; readonly name: string };

/**
 * Whom a note mentions: `@` and the whole name, or the first name where only one of these people has it. Upper and lower
 * case are the same, and what follows the name must not go on with a letter or digit.
 */
export function mentionsIn(text: string, people: readonly MentionedPerson[]): readonly string[] {
  const lowered = text.normalize("NFC").toLowerCase();
  const firstNames = Map.groupBy(people, ({ name }) => firstOf(plain(name)));
  return people
    .filter(({ name }) => {
      const first = firstOf(plain(name));
      return isMentioned(lowered, plain(name)) || (firstNames.get(first)?.length === 1 && isMentioned(lowered, first));
    })
    .map(({ id }) => id);
}

const plain = (name: string) => name.normalize("NFC").toLowerCase().trim();
const firstOf = (name: string) => name.split(/\s/)[0] ?? name;

function isMentioned(text: string, name: string): boolean {
  if (name === "") return false;
  for (let at = text.indexOf(`@${name}`); at >= 0; at = text.indexOf(`@${name}`, at + 1)) {
    const [before, after] = [text[at - 1] ?? " ", text[at + 1 + name.length] ?? " "];
    if (!/[\p{L}\p{N}]/u.test(after) && !/[\p{L}\p{N}]/u.test(before)) return true;
  }
  return false;
}
