import type { ReactNode } from "react";
import { classNames } from "#components/shell/class-names";

export type Tone = "plain" | "good" | "warn" | "bad" | "news";

const tones: Readonly<Record<Tone, string>> = {
  plain: "bg-selected text-ink-soft",
  good: "bg-good-wash text-good",
  warn: "bg-warn-wash text-warn",
  bad: "bg-bad-wash text-bad",
  news: "bg-news-wash text-news",
};

type Props = {
  readonly tone?: Tone | undefined;
  /** The one that says where a whole page stands. */
  readonly large?: boolean | undefined;
  readonly children: ReactNode;
};

/** A word or two about a thing's state; color only repeats what the words say. */
export function Badge({ tone = "plain", large = false, children }: Props) {
  return (
    <span className={classNames("badge", tones[tone], large && "px-2.5! py-1! text-sm! before:size-2!")}>
      {children}
    </span>
  );
}

/** Whether a thing reaches a real payer. */
export function EnvironmentMark({ environment }: { readonly environment: "live" | "test" }) {
  const look = environment === "test" ? "border-test bg-test-wash text-test" : "border-ink bg-surface text-ink";
  return <span className={classNames("environment", look)}>{environment === "test" ? "TEST" : "LIVE"}</span>;
}

/** That a payer is invented, beside its name. */
export function DemoMark() {
  return <span className="environment border-test bg-test-wash text-test">DEMO</span>;
}
