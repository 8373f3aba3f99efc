import { visibleParts, type TextPart } from "./visible-text.ts";

/** One line someone else wrote, looked through for characters that would not show. */
export type Line = readonly TextPart[];

export function lineOf(text: string): Line {
  return visibleParts(text, { lines: false });
}

/** Several lines, likewise. */
export function linesOf(text: string): Line {
  return visibleParts(text, { lines: true });
}

/** A {@link Line}, isolated from what stands around it. */
export function VisibleLine({ parts }: { readonly parts: Line }) {
  return (
    <bdi>
      <VisibleText parts={parts} />
    </bdi>
  );
}

/** What would not show is shown by its code point. */
export function VisibleText({ parts }: { readonly parts: readonly TextPart[] }) {
  return parts.map((part, index) =>
    "text" in part ? (
      part.text
    ) : (
      <span key={index} className="mx-px rounded-sm bg-warn-wash px-0.5 font-mono text-xs text-warn">
        {part.hidden}
      </span>
    ),
  );
}
