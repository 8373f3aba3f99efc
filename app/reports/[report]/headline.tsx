import { headlineOf } from "#lib/messages/reviewer/report-tables";
import type { Report } from "#lib/report/show-report";
import { differenceText, valueText } from "./value-text.ts";

/** The figures people ask for first, each beside the same of the period before. */
export function Headline({ report }: { readonly report: Report }) {
  return (
    <dl className="mb-8 grid grid-cols-2 gap-x-8 gap-y-5 lg:grid-cols-4">
      {headlineOf(report).map(({ name, now, before }) => {
        const [value, denominator] = valueText(now).split(/ (?=\()/);
        return (
          <div key={name}>
            <dt className="text-sm text-ink-faint">{name}</dt>
            <dd className="mt-0.5 text-2xl font-semibold">
              {value}
              {denominator !== undefined && (
                <span className="ms-1.5 text-sm font-normal text-ink-soft">{denominator}</span>
              )}
            </dd>
            {before && <dd className="text-sm text-ink-soft">{differenceText(now, before) ?? "nothing to compare"}</dd>}
          </div>
        );
      })}
    </dl>
  );
}
