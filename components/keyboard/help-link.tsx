"use client";

import { CircleHelp } from "lucide";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { helpTopicOf } from "#lib/messages/help";
import { KeysShown } from "./keys-shown.tsx";
import { openOverlay } from "./overlay.ts";

/** Opens the help of this page over it; without scripts it leads to the same text on a page of its own. */
export function HelpLink({ text }: { readonly text: string }) {
  const topic = helpTopicOf(usePathname()) ?? "home";
  return (
    <Link
      href={`/help#${topic}`}
      prefetch={false}
      title="Help"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        openOverlay("help");
      }}
      className="flex min-h-8 items-center gap-2.5 rounded-md px-2.5 text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      <Icon of={CircleHelp} size={18} className="shrink-0" />
      <span className={classNames("whitespace-nowrap max-lg:sr-only", text)}>Help</span>
      <span aria-hidden className={classNames("ms-auto max-lg:hidden pointer-coarse:hidden", text)}>
        <KeysShown chord="?" />
      </span>
    </Link>
  );
}
