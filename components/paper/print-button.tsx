"use client";

import { Printer } from "lucide";
import { Icon } from "#components/shell/icon";
import { Button } from "#components/form/plain-button";

/** Opens the browser's print dialog; without scripting there is no button, and Ctrl+P does the same. */
export function PrintButton() {
  return (
    <Button type="button" tone="primary" className="noscript:hidden" onClick={() => window.print()}>
      <Icon of={Printer} />
      Print
    </Button>
  );
}
