"use client";

import { createContext, use, type ComponentProps } from "react";
import { useFormStatus } from "react-dom";
import { buttonClass, type Look } from "./plain-button.tsx";
import { classNames } from "#components/shell/class-names";
import { KeyHint } from "#components/keyboard/key-hint";

type Props = Omit<ComponentProps<"button">, "type"> &
  Look & {
    /** The key that leads here, shown where keys are at hand; it is no part of the name. */
    readonly shortcut?: string | undefined;
  };

/** True while a form beside this one is being answered, and none of them may be sent. */
export const Busy = createContext(false);

/** Submits its form once: while the server answers, further presses do nothing. Its name never changes. */
export function SubmitButton({ tone, wide, large, shortcut, className, children, onClick, ...rest }: Props) {
  const { pending } = useFormStatus();
  const shut = use(Busy) || pending;
  return (
    <button
      type="submit"
      aria-keyshortcuts={shortcut}
      aria-disabled={shut || undefined}
      onClick={(event) => (shut ? event.preventDefault() : onClick?.(event))}
      className={classNames(buttonClass({ tone, wide, large }), pending && "animate-pulse", className)}
      {...rest}
    >
      {children}
      {shortcut !== undefined && <KeyHint chord={shortcut} />}
    </button>
  );
}
