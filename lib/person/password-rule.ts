import { isBreached } from "#lib/person/sign-in/breached-passwords";
import { passwordCharactersMax, passwordCharactersMin } from "#lib/person/sign-in/password";

/** Words of this trade that guesses begin with here. */
const ownWords = ["hospital", "doctor", "medical", "clinic", "reviewer", "correcthorsebatterystaple"];

/** What the product is called, with nothing between. */
const productNames = ["priorauth", "priorauthorization"];

const distinctMin = 5;

/** Shorter names are parts of too many words. */
const nameCharactersMin = 4;

/** The rule in words, for whoever is about to choose. */
export const passwordRule = `At least ${passwordCharactersMin} characters, of any kind; spaces too. Not your email's name, the product's name, or one that is guessed first.`;

/**
 * What is wrong with a password, or undefined: too short, too long, naming the person or the product, among those
 * guessed first, or known from a breach where the operator has a file of those (NIST SP 800-63B-4 section 3.1.1.2:
 * length and a list, no rules about kinds of characters, no expiry).
 */
export async function passwordProblem(
  password: string,
  { email, breached }: { readonly email: string; readonly breached?: string | undefined },
): Promise<string | undefined> {
  const length = [...password].length;
  if (length < passwordCharactersMin) return `must have at least ${passwordCharactersMin} characters`;
  if (password.length > passwordCharactersMax) return `must have at most ${passwordCharactersMax} characters`;
  const lower = password.toLowerCase();
  if (namesOf(email.toLowerCase()).some((name) => lower.includes(name)))
    return "must not hold your email's name or the product's name";
  if (await isGuessable(lower)) return "is among those that are guessed first";
  return (await isBreached(password, breached)) ? "is known from a breach somewhere else" : undefined;
}

function namesOf(email: string): readonly string[] {
  const name = email.split("@")[0] ?? "";
  return [...productNames, ...(name.length >= nameCharactersMin ? [name] : [])];
}

async function isGuessable(password: string): Promise<boolean> {
  if (new Set(password).size < distinctMin || isSequence(password)) return true;
  const words = await commonWords();
  // The word once or again and again, and otherwise at most digits and signs.
  const letters = password.replaceAll(/\P{L}+/gu, "");
  const core = password.replaceAll(/^\P{L}+|\P{L}+$/gu, "");
  return [password, letters, core].some((text) => isWordAgain(text, words));
}

function isWordAgain(text: string, words: ReadonlySet<string>): boolean {
  if (text === "") return false;
  for (let length = 1; length <= text.length; length += 1)
    if (text.length % length === 0 && text.slice(0, length).repeat(text.length / length) === text)
      if (words.has(text.slice(0, length))) return true;
  return false;
}

let words: Promise<ReadonlySet<string>> | undefined;

/** The 49,000 passwords that are most common; read from their package when first asked for. */
function commonWords(): Promise<ReadonlySet<string>> {
  words ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set([...dictionary["passwords-common"].map(String), ...ownWords]),
  );
  return words;
}

/** Each character follows the one before it, upwards or downwards, as 0 follows 9. */
function isSequence(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  steps.delete(-9);
  steps.delete(9);
  return steps.size <= 1 && (steps.has(1) || steps.has(-1));
}
