"use client";

import { CircleHelp, Command, type IconNode } from "lucide";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { KeysShown } from "./keys-shown.tsx";
import { openOverlay, type Overlay } from "./overlay.ts";

const buttons = {
  palette: { name: "Go to or do…", chord: "Mod+k", icon: Command },
  help: { name: "Keyboard shortcuts", chord: "?", icon: CircleHelp },
} as const satisfies Record<Overlay, { readonly name: string; readonly chord: string; readonly icon: IconNode }>;

type Props = {
  readonly overlay: Overlay;
  /** What its words are hidden by where only its icon has room. */
  readonly words?: string | undefined;
};

/** Opens what a key opens, for those who do not know the key. It needs scripts, as what it opens does. */
export function OpenButton({ overlay, words }: Props) {
  const { name, chord, icon } = buttons[overlay];
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={name}
      onClick={() => openOverlay(overlay)}
      className={classNames(
        "flex min-h-8 w-full cursor-pointer items-center gap-2.5 rounded-md px-2 text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11 noscript:hidden",
        words !== undefined && "px-2.5!",
      )}
    >
      {words !== undefined && <Icon of={icon} size={18} className="shrink-0" />}
      <span className={classNames("whitespace-nowrap", words)}>{name}</span>
      <span aria-hidden className={classNames("ms-auto pointer-coarse:hidden", words)}>
        <KeysShown chord={chord} />
      </span>
    </button>
  );
}
