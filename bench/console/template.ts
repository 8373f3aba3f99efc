import { createHash } from "node:crypto";

/** A text with what differs from copy to copy: the place of a mark among the marks, or an instant. */
export type Part = string | number | { readonly atMs: number };
export type Template = readonly Part[];

/** What stands for each mark in one copy, and where its instants lie. */
export type Filling = { readonly values: readonly string[]; readonly shift: (ms: number) => number };

const instant = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

/** Cuts texts at the marks they hold; longer marks come before those they contain. */
export function cutter(marks: readonly string[]): (text: string) => Template {
  const places = new Map(marks.map((mark, place) => [mark, place]));
  const known = marks
    .toSorted((a, b) => b.length - a.length)
    .map((mark) => mark.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const cut = new RegExp(`(${[...known, instant].join("|")})`);
  return (text) =>
    text.split(cut).flatMap((piece, index): Part[] => {
      if (index % 2 === 0) return piece === "" ? [] : [piece];
      return [places.get(piece) ?? { atMs: Date.parse(piece) }];
    });
}

export function fill(template: Template, { values, shift }: Filling): string {
  let text = "";
  for (const part of template) {
    if (typeof part === "string") text += part;
    else text += typeof part === "number" ? values[part] : new Date(shift(part.atMs)).toISOString();
  }
  return text;
}

export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
