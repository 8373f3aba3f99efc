import { PlainText } from "#components/text/plain-text";

/** A value of the sheet, line by line as it was released. */
export function Value({ children }: { readonly children: string }) {
  return children.split("\n").map((line, index) => (
    // A code stays whole; a digest or an unbroken text must not widen the sheet.
    <span key={index} className={`block min-h-lh ${/\S{25}/.test(line) ? "wrap-anywhere" : ""}`}>
      <PlainText>{line}</PlainText>
    </span>
  ));
}
