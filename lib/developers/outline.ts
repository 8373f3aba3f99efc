import { slugify } from "markdown-to-jsx";

/** A part of a page under one heading; the first one has that of the page and no id. */
export type Section = {
  readonly id: string | undefined;
  readonly level: number;
  readonly heading: string;
  readonly text: string;
};

/** The parts of a page in their order. A line of a block of code is no heading. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: { id: string | undefined; level: number; heading: string; lines: string[] }[] = [];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const [, marks, written] = (!fenced && /^(#{1,3}) (.+)$/.exec(line)) || [];
    if (marks !== undefined && written !== undefined) {
      const id = marks === "#" ? undefined : slugify(written);
      sections.push({ id, level: marks.length, heading: plain(written), lines: [] });
    } else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join("\n") }));
}

/** Markdown without its marks, as a sentence to read. */
export function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/^[>#-]\s?|\|/gm, " ")
    .replaceAll(/-{3,}/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
