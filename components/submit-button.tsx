"use client";

import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";
import { buttonClass, type ButtonTone } from "./button.tsx";
import { classNames } from "./class-names.ts";

type Props = Omit<ComponentProps<"button">, "type"> & {
  readonly tone?: ButtonTone | undefined;
  readonly wide?: boolean | undefined;
};

/** Submits its form once: while the server answers, further presses do nothing. Its name never changes. */
export function SubmitButton({ tone, wide, className, children, onClick, ...rest }: Props) {
  const { pending } = useFormStatus();
  return (
    <button
      type="submit"
      aria-disabled={pending || undefined}
      onClick={(event) => (pending ? event.preventDefault() : onClick?.(event))}
      className={classNames(buttonClass({ tone, wide }), pending && "animate-pulse", className)}
      {...rest}
    >
      {children}
    </button>
  );
}
