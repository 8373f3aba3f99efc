import type { ComponentProps } from "react";
import { classNames } from "#components/shell/class-names";

/** `release` is for the acts that let something leave, and for nothing else. */
export type ButtonTone = "plain" | "primary" | "danger" | "release";

const tones: Readonly<Record<ButtonTone, string>> = {
  plain: "border-line-strong bg-surface text-ink hover:bg-hover",
  primary: "border-transparent bg-inverse text-on-inverse hover:bg-inverse-hover",
  danger: "border-bad bg-surface text-bad hover:bg-bad-wash",
  release: "border-transparent bg-release text-on-release hover:bg-release-hover",
};

const shape =
  "inline-flex min-h-8 pointer-coarse:min-h-11 items-center justify-center gap-1.5 rounded-md border px-3 py-1 font-semibold whitespace-nowrap cursor-pointer aria-disabled:cursor-default aria-disabled:opacity-60";

export type Look = { readonly tone?: ButtonTone | undefined; readonly wide?: boolean | undefined };

export function buttonClass({ tone = "plain", wide = false }: Look): string {
  return classNames(shape, tones[tone], wide && "w-full");
}

/** A button; a `submit` unless told otherwise. Inside a form that waits for the server use SubmitButton. */
export function Button({ tone, wide, className, type = "submit", ...rest }: ComponentProps<"button"> & Look) {
  return <button type={type} className={classNames(buttonClass({ tone, wide }), className)} {...rest} />;
}
