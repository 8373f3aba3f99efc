"use client";

import { Check, Copy } from "lucide";
import { useState } from "react";
import { Icon } from "#components/shell/icon";

/** Copies a block of code, and says so for two seconds. Where the browser has no clipboard to write to, it does nothing. */
export function CopyButton({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button
      type="button"
      onClick={() => void copy().catch(() => undefined)}
      className="inline-flex min-h-7 items-center gap-1.5 rounded-md border border-line bg-surface px-2 text-xs font-semibold text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      <Icon of={copied ? Check : Copy} size={14} />
      <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
    </button>
  );
}
