/**
 * The word, as one of those that the code knows. Throws where it is none: what a stored row says is never taken for
 * something else. `column` is for the error, which does not say the word.
 */
export function knownWord<const Word extends string>(options: readonly Word[], word: string, column: string): Word {
  const known = options.find((one) => one === word);
  if (known === undefined) throw new Error(`${column} holds a word that the code does not know.`);
  return known;
}
