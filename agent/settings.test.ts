import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

const demo = { baseUrl: "http://localhost:3000", practiceId: "elm", channelKey: "the demo's key" };
const read = (args: readonly string[], key?: string, found: typeof demo | undefined = demo) =>
  readSettings({ args, demo: found, key });

test("without arguments it asks the demo", () => {
  expect(read([])).toMatchObject({ url: demo.baseUrl, practiceId: "elm", key: "the demo's key", minimal: false });
});

test("the demo's key goes to the demo alone", () => {
  expect(() => read(["--url", "https://other.example"])).toThrow(/Set PA_CHANNEL_KEY/);
  expect(read(["--url", "https://other.example"], "its own")).toMatchObject({ key: "its own" });
});

test("a key is no argument", () => {
  expect(() => read(["--key", "secret"])).toThrow(/--key/);
});

test("another service's practice must be named, and its address must be one", () => {
  const other = { demo: undefined, key: "its own" };
  expect(() => readSettings({ ...other, args: [] })).toThrow(/--url/);
  expect(() => readSettings({ ...other, args: ["--url", "other"] })).toThrow(/is no address/);
  expect(() => readSettings({ ...other, args: ["--url", "https://other.example"] })).toThrow(/--practice/);
});

test("files are attached in the order they are named, and none without", () => {
  expect(read(["--file", "b.pdf", "--file", "a.png"])).toMatchObject({ files: ["b.pdf", "a.png"] });
  expect(read([])).toMatchObject({ files: [] });
});
