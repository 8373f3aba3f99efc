import type { ComponentProps } from "react";
import { ActText, ActTextArea } from "./act-form.tsx";

const code = { spellCheck: false, autoComplete: "off", className: "font-mono text-sm" } as const;

/** A line of what a machine reads, such as an address or an id. */
export function ActCode(props: ComponentProps<typeof ActText>) {
  return <ActText maxLength={2000} {...code} {...props} />;
}

/** Several lines of it. */
export function ActCodeArea(props: ComponentProps<typeof ActTextArea>) {
  return <ActTextArea {...code} {...props} />;
}
