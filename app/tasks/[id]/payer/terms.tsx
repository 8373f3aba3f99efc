import { Fragment } from "react";
import { PlainText } from "#components/text/plain-text";
import type { LineTerms } from "#lib/task/model/determination";
import { differingTerms } from "#lib/task/model/term-differences";
import { termTexts, type KnownProviders } from "./term-texts.ts";

type Props = {
  readonly of: LineTerms | undefined;
  /** What it stands beside; what differs from that is marked and named. */
  readonly against?: LineTerms | undefined;
  readonly known?: KnownProviders | undefined;
};

/** What was requested or authorized on one line. */
export function Terms({ of, against, known }: Props) {
  if (!of) return <span className="text-ink-faint">–</span>;
  const differing = against ? differingTerms(against, of) : [];
  return (
    <>
      {termTexts(of, known).map(({ name, text }, index) => (
        <Fragment key={name}>
          {index > 0 && ", "}
          {differing.includes(name) ? (
            <mark className="bg-warn-wash font-semibold text-ink">
              <PlainText>{text}</PlainText>
            </mark>
          ) : (
            <PlainText>{text}</PlainText>
          )}
        </Fragment>
      ))}
      {differing.length > 0 && (
        <span className="block text-sm text-warn">Not as requested: {differing.join(", ")}</span>
      )}
    </>
  );
}
