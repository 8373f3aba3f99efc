import { passwordCharactersMax, passwordCharactersMin } from "#lib/auth/password";

/** Beginnings of passwords that everybody tries first; what follows is only ever digits, signs or the word again. */
const common = [
  ...["password", "passw0rd", "passwort", "welcome", "letmein", "changeme", "administrator", "admin", "qwertyuiop"],
  ...["qwerty", "iloveyou", "trustno", "correcthorsebatterystaple", "secret", "default", "test", "demo", "hospital"],
  ...["doctor", "medical", "clinic", "priorauth", "priorauthorization", "reviewer", "abcdefghijkl", "asdfghjkl"],
];

const distinctMin = 5;

/**
 * What is wrong with a password, or undefined: too short, too long, or among
 * those guessed first (NIST SP 800-63B-4 section 3.1.1.2: length and a list, no
 * rules about kinds of characters).
 */
export function passwordProblem(password: string, { email }: { email: string }): string | undefined {
  const length = [...password].length;
  if (length < passwordCharactersMin) return `must have at least ${passwordCharactersMin} characters`;
  if (password.length > passwordCharactersMax) return `must have at most ${passwordCharactersMax} characters`;
  if (isGuessable(password.toLowerCase(), email.toLowerCase())) return "is among those that are guessed first";
  return undefined;
}

function isGuessable(password: string, email: string): boolean {
  const account = email.split("@")[0] ?? "";
  if (new Set(password).size < distinctMin || isSequence(password)) return true;
  return [...common, email, ...(account.length > 2 ? [account] : [])].some((word) => isPadded(password, word));
}

/** The word, once or again and again, and otherwise at most digits and signs. */
function isPadded(password: string, word: string): boolean {
  const rest = password.replaceAll(word, "");
  return rest !== password && /^[\P{L}]*$/u.test(rest);
}

/** Each character follows the one before it, upwards or downwards, as 0 follows 9. */
function isSequence(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  steps.delete(-9);
  steps.delete(9);
  return steps.size <= 1 && (steps.has(1) || steps.has(-1));
}
