import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = "docs/decisions";

/** What one page holds, at a size that is read in three minutes. */
const wordsOfAPage = 700;

const index = readFileSync(`${folder}/README.md`, "utf8");
const decisions = readdirSync(folder).filter((file) => file !== "README.md");

/** The words a reader sees: without the lines of tables, the marks of Markdown and the addresses of links. */
function wordsIn(markdown: string) {
  const text = markdown.replace(/\]\([^)]*\)/g, " ").replace(/[|`*_[\]]/g, " ");
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

test("every decision has a number of its own", () => {
  expect(decisions.filter((file) => !/^\d{3}-[a-z0-9-]+\.md$/.test(file))).toEqual([]);
  const numbers = decisions.map((file) => file.slice(0, 3));
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});

describe.each(decisions)("%s", (file) => {
  const page = readFileSync(`${folder}/${file}`, "utf8");

  test("is one page that says the context, the decision and its consequences", () => {
    expect(page.startsWith(`# ${file.slice(0, 3)} `)).toBe(true);
    expect(["Context", "Decision", "Consequences"].filter((part) => !page.includes(`**${part}`))).toEqual([]);
    expect(wordsIn(page)).toBeLessThanOrEqual(wordsOfAPage);
  });

  test("is in the list of decisions", () => {
    expect(index).toContain(`[${file.slice(0, 3)}](${file})`);
  });

  test("links to files that exist", () => {
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => !existsSync(`${folder}/${path}`))).toEqual([]);
  });
});
