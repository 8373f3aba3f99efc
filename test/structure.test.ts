import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

test("plain Node can run all of lib: it holds no .tsx", () => {
  expect(readdirSync("lib", { recursive: true }).filter((file) => String(file).endsWith(".tsx"))).toEqual([]);
});
