"use client";

import { Check, Copy } from "lucide";
import { useState } from "react";
import { Icon } from "#components/shell/icon";
import { Button } from "./plain-button.tsx";

type Props = {
  readonly text: string;
  /** What is copied, for those who do not see what it stands beside. */
  readonly of: string;
};

const texts = { idle: "Copy", copied: "Copied", failed: "Select and copy" } as const;

/** Copies a text. Without JavaScript there is no button: the text beside it can be selected. */
export function CopyButton({ text, of }: Props) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      <Button type="button" className="noscript:hidden" onClick={() => void copy()} aria-label={`Copy ${of}`}>
        <Icon of={state === "copied" ? Check : Copy} />
        {texts[state]}
      </Button>
      {state !== "idle" && (
        <span role="status" className="sr-only">
          {texts[state]}
        </span>
      )}
    </>
  );
}
