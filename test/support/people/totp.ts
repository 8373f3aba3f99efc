import { setTimeout } from "node:timers/promises";
import { generate } from "otplib";

const stepMs = 30_000;

/** Longer than any test takes from asking for a code to the answer. */
const enoughMs = 6_000;

/** The code an app shows now; where that is over soon the next one, once it has come. */
export async function codeNow(secret: string): Promise<string> {
  const left = stepMs - (Date.now() % stepMs);
  if (left < enoughMs) await setTimeout(left + 1);
  return generate({ secret });
}

/** Shows the code of now, and where it was overtaken by the next one that, as whoever holds the phone does. */
export async function showingCode<Answer extends { readonly ok: boolean }>(
  secret: string,
  show: (code: string) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const step = Math.floor(Date.now() / stepMs);
    const answer = await show(await generate({ secret }));
    if (answer.ok || Math.floor(Date.now() / stepMs) === step) return answer;
  }
}
