/** What cannot work, in a sentence with the remedy; it is shown without a stack. */
export function trouble(sentence: string): Error {
  return Object.assign(new Error(sentence), { name: "Trouble" });
}
