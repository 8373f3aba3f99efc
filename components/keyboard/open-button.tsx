"use client";

import { Command } from "lucide";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { KeysShown } from "./keys-shown.tsx";
import { openOverlay } from "./overlay.ts";

type Props = {
  /** What its words are hidden by where only its icon has room. */
  readonly text?: string | undefined;
};

/** Opens the palette, for those who do not know its key. It needs scripts, as the palette does. */
export function OpenButton({ text }: Props) {
  const name = "Go to or do…";
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={name}
      onClick={() => openOverlay("palette")}
      className={classNames(
        "flex min-h-8 w-full cursor-pointer items-center gap-2.5 rounded-md px-2 text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11 noscript:hidden",
        text !== undefined && "px-2.5!",
      )}
    >
      {text !== undefined && <Icon of={Command} size={18} className="shrink-0" />}
      <span className={classNames("whitespace-nowrap", text)}>{name}</span>
      <span aria-hidden className={classNames("ms-auto pointer-coarse:hidden", text)}>
        <KeysShown chord="Mod+k" />
      </span>
    </button>
  );
}
