"use client";

import { useEffect, useRef } from "react";
import type { SecretText } from "./act-answer.tsx";
import { ScrollRegion } from "#components/text/scroll-region";
import { CopyButton } from "./copy-button.tsx";
import { TextField } from "./field.tsx";
import { buttonClass } from "./plain-button.tsx";

/** The one time a secret is on a page, in a dialog that its title heads; it is in no address and in no history. */
export function Secret({ text, about }: { readonly text: string; readonly about: SecretText }) {
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => here.current?.querySelector("input")?.select(), [text]);
  useEffect(() => whenKept(here), []);
  return (
    <div ref={here} className="grid gap-4">
      <p className="text-ink-soft">{about.text}</p>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={about.label}
            readOnly
            value={text}
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-sm"
          />
        </div>
        <CopyButton text={text} of={about.label} />
      </div>
      {about.command && <Command command={about.command} />}
      <div>
        {/* A plain link: the whole page is fetched anew, and nothing of the secret is left in it. */}
        <a href={about.done} className={buttonClass({ tone: "primary" })}>
          Done
        </a>
      </div>
    </div>
  );
}

function Command({ command }: { readonly command: NonNullable<SecretText["command"]> }) {
  return (
    <div>
      <div className="mb-1 flex items-end justify-between gap-2">
        <p className="text-sm font-semibold">{command.label}</p>
        <CopyButton text={command.text} of="command" />
      </div>
      <ScrollRegion
        as="pre"
        label={command.label}
        className="max-h-40 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {command.text}
      </ScrollRegion>
    </div>
  );
}

/** A page that the browser kept whole would show the secret again to whoever goes back: it is hidden, and fetched anew. */
function whenKept(here: { readonly current: HTMLElement | null }): () => void {
  const hide = () => {
    if (here.current) here.current.hidden = true;
  };
  const fetchAnew = ({ persisted }: PageTransitionEvent) => {
    if (persisted) location.reload();
  };
  window.addEventListener("pagehide", hide);
  window.addEventListener("pageshow", fetchAnew);
  return () => {
    window.removeEventListener("pagehide", hide);
    window.removeEventListener("pageshow", fetchAnew);
  };
}
