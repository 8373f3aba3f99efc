import { Fragment } from "react";
import { PlainText } from "#components/text/plain-text";
import type { LineTerms } from "#lib/task/model/determination";
import { amountOf, datesOf } from "../request/review-text.ts";

type Props = {
  readonly of: LineTerms | undefined;
  /** What it stands beside; what differs from that is marked and named. */
  readonly against?: LineTerms | undefined;
};

type Part = { readonly name: "Code" | "Quantity" | "Dates"; readonly text: string; readonly differs: boolean };

/** What was requested or authorized on one line. */
export function Terms({ of, against }: Props) {
  if (!of) return <span className="text-ink-faint">–</span>;
  const parts = partsOf(of, against);
  const differing = parts.filter(({ differs }) => differs).map(({ name }) => name.toLowerCase());
  return (
    <>
      {parts.map(({ name, text, differs }, index) => (
        <Fragment key={name}>
          {index > 0 && ", "}
          {differs ? (
            <mark className="bg-warn-wash font-semibold text-ink">
              <PlainText>{text}</PlainText>
            </mark>
          ) : (
            <PlainText>{text}</PlainText>
          )}
        </Fragment>
      ))}
      {differing.length > 0 && (
        <span className="block text-sm text-warn">Not as requested: {differing.join(" and ")}</span>
      )}
    </>
  );
}

function partsOf(of: LineTerms, against: LineTerms = {}): readonly Part[] {
  /** What either leaves open does not differ. */
  const isOther = (...names: readonly (keyof LineTerms)[]) =>
    names.some((name) => of[name] !== undefined && against[name] !== undefined && of[name] !== against[name]);
  const parts = [
    { name: "Code", text: of.code, differs: isOther("code") },
    {
      name: "Quantity",
      text: amountOf({ quantity: of.quantity, quantityTypeCode: of.unit }),
      differs: isOther("quantity", "unit"),
    },
    {
      name: "Dates",
      text: datesOf({ fromDate: of.from, toDate: of.to }),
      differs: isOther("from", "to"),
    },
  ] as const;
  return parts.flatMap(({ text, ...part }) => (text === undefined ? [] : [{ ...part, text }]));
}
