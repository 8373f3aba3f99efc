"use client";

import { Printer } from "lucide";
import { Icon } from "./icon.tsx";
import { Button } from "./plain-button.tsx";

/** Opens the browser's print dialog; without scripting there is no button, and Ctrl+P does the same. */
export function PrintButton() {
  return (
    <Button type="button" tone="primary" className="noscript:hidden" onClick={() => window.print()}>
      <Icon of={Printer} />
      Print
    </Button>
  );
}
