import { isBreached } from "#lib/person/sign-in/breached-passwords";
import { accountProblems } from "#lib/messages/problems/account";
import { passwordCharactersMax, passwordCharactersMin } from "./model/password-length.ts";

/** Words of this field that attackers try first. */
const ownTerms = ["hospital", "doctor", "medical", "clinic", "reviewer", "correcthorsebatterystaple"];

/** The product's name without spaces. */
const productNames = ["priorauth", "priorauthorization"];

const distinctMin = 5;

/** Shorter names are parts of too many words. */
const nameCharactersMin = 4;

/**
 * What is wrong with a password, as the end of a sentence, or undefined: too short, too long, with the person's or the
 * product's name, among the most common, or known from a breach where the operator has a list (NIST SP 800-63B-4
 * section 3.1.1.2: length and a list, no composition rules, no expiry).
 */
export async function passwordProblem(
  password: string,
  { email, breached }: { readonly email: string; readonly breached?: string | undefined },
): Promise<string | undefined> {
  const length = [...password].length;
  if (length < passwordCharactersMin) return accountProblems.passwordMin(passwordCharactersMin);
  if (password.length > passwordCharactersMax) return accountProblems.passwordMax(passwordCharactersMax);
  const lower = password.toLowerCase();
  if (namesOf(email.toLowerCase()).some((name) => lower.includes(name))) return accountProblems.passwordHoldsName;
  if (await isGuessable(lower)) return accountProblems.passwordGuessed;
  return (await isBreached(password, breached)) ? accountProblems.passwordBreached : undefined;
}

function namesOf(email: string): readonly string[] {
  const name = email.split("@")[0] ?? "";
  return [...productNames, ...(name.length >= nameCharactersMin ? [name] : [])];
}

async function isGuessable(password: string): Promise<boolean> {
  if (new Set(password).size < distinctMin || isSequence(password)) return true;
  const commonPasswords = await commonWords();
  // A word once or repeated, with at most digits and signs around it.
  const letters = password.replaceAll(/\P{L}+/gu, "");
  const core = password.replaceAll(/^\P{L}+|\P{L}+$/gu, "");
  return [password, letters, core].some((text) => isRepeatedWord(text, commonPasswords));
}

function isRepeatedWord(text: string, commonPasswords: ReadonlySet<string>): boolean {
  if (text === "") return false;
  for (let length = 1; length <= text.length; length += 1)
    if (text.length % length === 0 && text.slice(0, length).repeat(text.length / length) === text)
      if (commonPasswords.has(text.slice(0, length))) return true;
  return false;
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** The 49,000 most common passwords; loaded from their package at the first use. */
function commonWords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set([...dictionary["passwords-common"].map(String), ...ownTerms]),
  );
  return commonPasswords;
}

/** Whether each character follows the one before it, upwards or downwards; 0 follows 9. */
function isSequence(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  steps.delete(-9);
  steps.delete(9);
  return steps.size <= 1 && (steps.has(1) || steps.has(-1));
}
