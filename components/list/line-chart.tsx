type Series = { readonly name: string; readonly values: readonly (number | null)[]; readonly dashed?: true };

type Props = {
  /** What the chart shows, for those who do not see it; the figures are in the table under it. */
  readonly label: string;
  readonly series: readonly Series[];
  readonly from: string;
  readonly to: string;
  readonly textOf: (value: number) => string;
};

/** Lines over time, drawn by the server, from zero to the highest value; a gap where there is no value. */
export function LineChart({ label, series, from, to, textOf }: Props) {
  const top = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 0);
  return (
    <figure role="img" aria-label={label} className="mb-4">
      {series.length > 1 && (
        <p className="mb-2 flex flex-wrap gap-x-4 text-sm text-ink-soft">
          {series.map(({ name, dashed }) => (
            <span key={name} className="inline-flex items-center gap-1.5">
              <svg width="20" height="6" className="block">
                <path d="M0 3H20" strokeDasharray={dashed && "4 3"} className="stroke-ink stroke-2" />
              </svg>
              {name}
            </span>
          ))}
        </p>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 text-xs text-ink-faint">
        <svg
          width="100%"
          height="120"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="block overflow-visible"
        >
          {[0, 50, 100].map((y) => (
            <path key={y} d={`M0 ${y}H100`} vectorEffect="non-scaling-stroke" className="stroke-line" />
          ))}
          {series.map(({ name, values, dashed }) => (
            <Line key={name} values={values} top={top} dashed={dashed ?? false} />
          ))}
        </svg>
        <div className="flex flex-col justify-between">
          <span>{textOf(top)}</span>
          <span>0</span>
        </div>
        <div className="flex justify-between pt-1">
          <span>{from}</span>
          <span>{to}</span>
        </div>
      </div>
    </figure>
  );
}

function Line({
  values,
  top,
  dashed,
}: {
  readonly values: Series["values"];
  readonly top: number;
  readonly dashed: boolean;
}) {
  const step = 100 / Math.max(values.length - 1, 1);
  const points = values.map((value, index) =>
    value === null
      ? null
      : `${(index * step).toFixed(2)} ${(100 - (value / Math.max(top, Number.EPSILON)) * 100).toFixed(2)}`,
  );
  const lines = points.map((point, index) => point && `${points[index - 1] ? "L" : "M"}${point}`).filter(Boolean);
  return (
    <>
      <path
        d={lines.join("")}
        fill="none"
        vectorEffect="non-scaling-stroke"
        strokeDasharray={dashed ? "4 3" : undefined}
        className="stroke-ink stroke-2"
      />
      {/* A line too short to see is its round ends: a dot that no stretching deforms. Without any length, Safari stretches it. */}
      <path
        d={points
          .filter(Boolean)
          .map((point) => `M${point}h.01`)
          .join("")}
        fill="none"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
        className="stroke-ink stroke-[5px]"
      />
    </>
  );
}
