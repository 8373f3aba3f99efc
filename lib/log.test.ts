import { describe, expect, test } from "vitest";
import { errorLine } from "./log.ts";

const secret = "Okafor";
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("an error in the log", () => {
  test("is its name, message, code and where it was thrown", () => {
    const error = Object.assign(new Error("The payer hung up."), { code: "ECONNRESET", detail: secret });
    const line = errorLine(error);
    expect(line).toMatchObject({
      name: "Error",
      message: "The payer hung up.",
      code: "ECONNRESET",
      stack: expect.arrayContaining([expect.stringContaining("log.test.ts")]),
    });
    expect(JSON.stringify(line)).not.toContain(secret);
  });

  test.each<[string, unknown]>([
    ["JSON.parse", thrownBy(() => JSON.parse(`{"patient": ${secret}`))],
    ["Prisma", Object.assign(new Error(`Argument lastName: ${secret}`), { name: "PrismaClientValidationError" })],
    [
      "Postgres",
      Object.assign(new Error(`invalid input syntax: "${secret}"`), { name: "error", detail: secret, code: "22P02" }),
    ],
    ["any of them as a cause", new Error("outer", { cause: thrownBy(() => JSON.parse(secret)) })],
    ["a string that was thrown", secret],
    ["an object that was thrown", { secret }],
  ])("never repeats what %s was given", (_, error) => {
    expect(JSON.stringify(errorLine(error))).not.toContain(secret);
  });
});
