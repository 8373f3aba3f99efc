import { visibleParts } from "./visible-text.ts";
import { lineOf, VisibleLine, VisibleText } from "./visible-line.tsx";

/** Text someone else wrote, on one line: isolated from what stands around it, hidden characters shown. */
export function PlainText({ children }: { readonly children: string }) {
  return <VisibleLine parts={lineOf(children)} />;
}

/** Several lines someone else wrote, as a quotation. Never read as markup of any kind. */
export function QuotedText({ children }: { readonly children: string }) {
  return (
    <blockquote
      dir="auto"
      className="border-s-2 border-line-strong ps-3 wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]"
    >
      <VisibleText parts={visibleParts(children, { lines: true })} />
    </blockquote>
  );
}

/** Exact text of a machine, line by line as it is; what would not show is shown by its code point. */
export function ExactText({ children, label }: { readonly children: string; readonly label: string }) {
  return (
    <pre
      dir="ltr"
      role="region"
      tabIndex={0}
      aria-label={label}
      className="max-h-96 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-4.5 break-all whitespace-pre-wrap [unicode-bidi:isolate-override] print:max-h-none"
    >
      <code>
        <VisibleText parts={visibleParts(children, { lines: true })} />
      </code>
    </pre>
  );
}
