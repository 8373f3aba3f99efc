import { plain, sectionsOf } from "./outline.ts";
import { groups, type Page } from "./pages.ts";

/** A part of a page in which everything was found that somebody looked for. */
export type PageMatch = {
  readonly slug: string;
  readonly title: string;
  readonly id: string | undefined;
  readonly heading: string;
  /** What stands around the first word. */
  readonly excerpt: string;
};

type PageText = Omit<PageMatch, "excerpt"> & { readonly text: string; readonly lower: string };

const fenced = /```\w*\n([^]*?)```/g;
const foundMax = 30;
const aroundChars = 90;

let searched: readonly PageText[] | undefined;

/** The parts of pages that hold every word of this, those with a word in the heading first. The pages change with the program alone. */
export function searchPages(query: string): readonly PageMatch[] {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return [];
  searched ??= groups.flatMap(({ pages }) => pages.flatMap(partsOf));
  const hits = searched.filter(({ lower }) => terms.every((word) => lower.includes(word)));
  const inHeading = ({ heading, title }: PageText) => {
    const names = `${heading} ${title}`.toLowerCase();
    return terms.filter((word) => names.includes(word)).length;
  };
  return hits
    .toSorted((one, other) => inHeading(other) - inHeading(one))
    .slice(0, foundMax)
    .map(({ text, lower: _, ...found }) => ({ ...found, excerpt: excerptOf(text, terms) }));
}

function partsOf({ slug, title, markdown }: Page): readonly PageText[] {
  return sectionsOf(markdown()).map(({ id, heading, text: written }) => {
    // What is said comes before what is shown, so that an excerpt is of sentences where they have the word.
    const blocks = [...written.matchAll(fenced)].map(([, shown = ""]) => shown);
    const text = [plain(written.replaceAll(fenced, "")), ...blocks.map(plain)].join(" ").trim();
    return { slug, title, id, heading, text, lower: `${title} ${heading} ${text}`.toLowerCase() };
  });
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const from = at <= aroundChars ? 0 : text.indexOf(" ", at - aroundChars) + 1;
  const to = at + aroundChars * 2 >= text.length ? text.length : text.lastIndexOf(" ", at + aroundChars * 2);
  return `${from > 0 ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}
