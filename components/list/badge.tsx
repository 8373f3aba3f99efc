import type { ReactNode } from "react";
import { classNames } from "#components/shell/class-names";

export type Tone = "plain" | "good" | "warn" | "bad" | "news";

const tones: Readonly<Record<Tone, string>> = {
  plain: "bg-sunken text-ink-soft",
  good: "bg-good-wash text-good",
  warn: "bg-warn-wash text-warn",
  bad: "bg-bad-wash text-bad",
  news: "bg-news-wash text-news",
};

/** A word or two about a thing's state; colour only repeats what the words say. */
export function Badge({
  tone = "plain",
  children,
}: {
  readonly tone?: Tone | undefined;
  readonly children: ReactNode;
}) {
  return <span className={classNames("badge", tones[tone])}>{children}</span>;
}

/** Whether a thing reaches a real payer. */
export function EnvironmentMark({ environment }: { readonly environment: "live" | "test" }) {
  const look = environment === "test" ? "border-test bg-test-wash text-test" : "border-ink bg-surface text-ink";
  return <span className={classNames("environment", look)}>{environment === "test" ? "TEST" : "LIVE"}</span>;
}
