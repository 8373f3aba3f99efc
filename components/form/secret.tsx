"use client";

import { useEffect, useRef } from "react";
import { Notice } from "#components/shell/notice";
import type { SecretText } from "./act-answer.tsx";
import { ScrollRegion } from "#components/text/scroll-region";
import { CopyButton } from "./copy-button.tsx";
import { TextField } from "./field.tsx";
import { buttonClass } from "./plain-button.tsx";

/** The one time a secret is on a page; it is in no address and in no history. */
export function Secret({ text, about }: { readonly text: string; readonly about: SecretText }) {
  const here = useRef<HTMLInputElement>(null);
  useEffect(() => here.current?.select(), [text]);
  return (
    <div className="grid gap-4">
      <Notice tone="good" role="status" title={about.title}>
        <p>{about.text}</p>
      </Notice>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            ref={here}
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
      {about.command && (
        <div>
          <div className="mb-1 flex items-end justify-between gap-2">
            <p className="text-sm font-semibold">{about.command.label}</p>
            <CopyButton text={about.command.text} of="command" />
          </div>
          <ScrollRegion
            as="pre"
            label={about.command.label}
            className="max-h-40 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
          >
            {about.command.text}
          </ScrollRegion>
        </div>
      )}
      <div>
        {/* A plain link: the whole page is fetched anew, and nothing of the secret is left in it. */}
        <a href={about.done} className={buttonClass({ tone: "primary" })}>
          Done
        </a>
      </div>
    </div>
  );
}
