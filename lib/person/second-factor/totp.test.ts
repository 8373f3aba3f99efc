import { generate } from "otplib";
import { expect, test } from "vitest";
import { newTotpSecret, timeStepOf } from "./totp.ts";

const begin = 1_764_000_000_000;
const step = begin / 30_000;

test("a code is valid in its own half minute, from its first moment to its last, and in no other", async () => {
  const secret = newTotpSecret();
  const code = await generate({ secret, epoch: begin / 1_000 });
  const at = (ms: number, lastTimeStep = 0) => timeStepOf(code, { secret, lastTimeStep }, begin + ms);
  expect([await at(0), await at(29_999)]).toEqual([step, step]);
  for (const ms of [-60_000, -1, 30_000, 31_000, 90_000]) expect(await at(ms), `${ms}`).toBeUndefined();
  expect([await at(0, step - 1), await at(0, step), await at(0, step + 1)]).toEqual([step, undefined, undefined]);
});
