import Link from "next/link";
import type { ComponentProps } from "react";
import { classNames } from "#components/shell/class-names";
import { buttonClass, type Look } from "./plain-button.tsx";

export { Button } from "./plain-button.tsx";

type Props = ComponentProps<typeof Link> & Look;

/** A link that looks like a button; it goes somewhere and does nothing. */
export function ButtonLink({ tone, wide, large, className, prefetch = false, ...rest }: Props) {
  return <Link prefetch={prefetch} className={classNames(buttonClass({ tone, wide, large }), className)} {...rest} />;
}
