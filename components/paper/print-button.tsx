"use client";

import { Printer } from "lucide";
import { Icon } from "#components/shell/icon";
import { Button, type Look } from "#components/form/plain-button";

/** Opens the browser's print dialog; without scripting there is no button, and Ctrl+P does the same. */
export function PrintButton({ tone = "primary" }: Pick<Look, "tone">) {
  return (
    <Button type="button" tone={tone} className="noscript:hidden" onClick={() => window.print()}>
      <Icon of={Printer} />
      Print
    </Button>
  );
}
