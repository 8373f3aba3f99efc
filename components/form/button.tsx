import Link from "next/link";
import type { ComponentProps } from "react";
import { classNames } from "#components/shell/class-names";
import { buttonClass, type Look } from "./plain-button.tsx";

export { Button } from "./plain-button.tsx";

/** A link that looks like a button; it goes somewhere and does nothing. */
export function ButtonLink({ tone, wide, className, prefetch = false, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link prefetch={prefetch} className={classNames(buttonClass({ tone, wide }), className)} {...rest} />;
}
