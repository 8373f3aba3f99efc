import type { ComponentProps } from "react";
import { classNames } from "#components/shell/class-names";

/** `release` is for the acts that let something leave, `void` for the one that takes an authorization away; for nothing else. */
export type ButtonTone = "plain" | "quiet" | "primary" | "danger" | "release" | "void";

const tones: Readonly<Record<ButtonTone, string>> = {
  plain: "border-line-strong bg-surface text-ink hover:bg-hover",
  quiet: "border-transparent text-ink-soft hover:bg-hover hover:text-ink",
  primary: "border-transparent bg-inverse text-on-inverse hover:bg-inverse-hover",
  danger: "border-bad bg-surface text-bad hover:bg-bad-wash",
  release: "border-transparent bg-release text-on-release hover:bg-release-hover",
  void: "border-transparent bg-void text-on-release hover:bg-void-hover",
};

const shape =
  "inline-flex pointer-coarse:min-h-11 items-center justify-center gap-2 rounded-md border font-semibold cursor-pointer aria-disabled:cursor-default aria-disabled:opacity-60 disabled:cursor-default disabled:opacity-60";

export type Look = {
  readonly tone?: ButtonTone | undefined;
  readonly wide?: boolean | undefined;
  /** The one act a page is for. */
  readonly large?: boolean | undefined;
};

export function buttonClass({ tone = "plain", wide = false, large = false }: Look): string {
  const size = large ? "min-h-10 px-4 py-2" : "min-h-8 px-3 py-1 whitespace-nowrap";
  return classNames(shape, size, tones[tone], wide && "w-full");
}

/** A button; a `submit` unless told otherwise. Inside a form that waits for the server use SubmitButton. */
export function Button({ tone, wide, large, className, type = "submit", ...rest }: ComponentProps<"button"> & Look) {
  return <button type={type} className={classNames(buttonClass({ tone, wide, large }), className)} {...rest} />;
}
