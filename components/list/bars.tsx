export type BarTone = "ink" | "soft" | "bad" | "warn" | "faint";

const fills: Readonly<Record<BarTone, string>> = {
  ink: "fill-ink-soft",
  soft: "fill-line-strong",
  bad: "fill-bad",
  warn: "fill-warn",
  faint: "fill-line-strong",
};

export type Bar = {
  readonly label: string;
  /** One after the other, from the left. */
  readonly parts: readonly { readonly value: number; readonly tone: BarTone }[];
  /** What the bar comes to, in words. */
  readonly note: string;
};

type Props = {
  /** What the chart shows, for those who do not see it; the figures are in the table under it. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What fills the whole width; the longest bar unless it is said. */
  readonly full?: number | undefined;
  readonly legend?: readonly { readonly name: string; readonly tone: BarTone }[] | undefined;
};

/** Bars from the left, drawn by the server; their widths are parts of whatever width there is. */
export function Bars({ label, bars, full, legend = [] }: Props) {
  const longest = Math.max(...bars.map(({ parts }) => sum(parts)), 0);
  const scale = 100 / Math.max(full ?? longest, Number.EPSILON);
  return (
    <figure role="img" aria-label={label} className="mb-4">
      {legend.length > 0 && <Legend of={legend} />}
      <div className="grid grid-cols-[minmax(5rem,17rem)_minmax(0,1fr)_minmax(4rem,auto)] max-sm:grid-cols-[minmax(5rem,8rem)_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5">
        {bars.map(({ label: name, parts, note }, index) => (
          <div key={index} className="contents">
            <span className="text-sm text-ink-soft sm:truncate">{name}</span>
            <svg width="100%" height="14" className="block">
              {placed(parts).map(({ from, value, tone }, place) => (
                <rect
                  key={place}
                  x={`${(from * scale).toFixed(3)}%`}
                  width={`${(value * scale).toFixed(3)}%`}
                  height="14"
                  className={`${fills[tone]} stroke-surface`}
                />
              ))}
            </svg>
            <span className="text-end text-sm whitespace-nowrap">{note}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}

function Legend({ of }: { readonly of: NonNullable<Props["legend"]> }) {
  return (
    <p className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
      {of.map(({ name, tone }) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <svg width="10" height="10" className="block">
            <rect width="10" height="10" className={fills[tone]} />
          </svg>
          {name}
        </span>
      ))}
    </p>
  );
}

const sum = (parts: Bar["parts"]) => parts.reduce((all, { value }) => all + value, 0);

function placed(parts: Bar["parts"]) {
  return parts.map((part, index) => ({ ...part, from: sum(parts.slice(0, index)) })).filter(({ value }) => value > 0);
}
