// Runs in the page, beside uPlot. Draws each panel where its dashboard has it, as Grafana's light theme does.
const colors = [
  "#56a64b",
  "#e0b400",
  "#3274d9",
  "#ff780a",
  "#e02f44",
  "#8f3bb8",
  "#37872d",
  "#1250b0",
  "#fa6400",
  "#c4162a",
];

const short = (value) =>
  Math.abs(value) >= 1_000 ? `${+(value / 1_000).toPrecision(3)} K` : `${+value.toPrecision(3)}`;

function duration(value) {
  if (value === 0) return "0 s";
  if (Math.abs(value) < 0.001) return `${+(value * 1e6).toPrecision(3)} µs`;
  if (Math.abs(value) < 1) return `${+(value * 1e3).toPrecision(3)} ms`;
  if (Math.abs(value) < 60) return `${+value.toPrecision(3)} s`;
  return Math.abs(value) < 3_600 ? `${+(value / 60).toPrecision(3)} min` : `${+(value / 3_600).toPrecision(3)} h`;
}

const formats = {
  short,
  s: duration,
  reqps: (value) => `${short(value)} req/s`,
  cps: (value) => `${short(value)} c/s`,
  percentunit: (value) => `${+(value * 100).toPrecision(3)}%`,
  bytes: (value) => `${+(value / 2 ** 20).toPrecision(3)} MiB`,
};

/** Steps that people count in. */
const steps = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1_000, 1e4, 1e5].flatMap((each) => [
  each,
  2 * each,
  5 * each,
]);
const seconds = [...steps.filter((each) => each < 30), 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 86_400, 864_000];
const mib = [1, 2, 5, 10, 20, 50, 100, 200, 500].map((each) => each * 2 ** 20);

/** A box with its heading, and where lines are, the name of each with its last value. */
function frame({ title, lines }, { place, format }) {
  const box = document.createElement("section");
  for (const [side, px] of Object.entries(place)) box.style.setProperty(side, `${px}px`);
  const head = document.createElement("h2");
  head.textContent = title;
  const key = document.createElement(lines.length === 0 ? "p" : "footer");
  if (lines.length === 0) key.textContent = "No data";
  for (const [index, { name, last }] of lines.entries()) {
    const item = document.createElement("span");
    item.style.setProperty("--color", colors[index % colors.length]);
    item.textContent = `${name}${last === null ? "" : `: ${format(last)}`}`;
    key.append(item);
  }
  box.append(head, key);
  document.body.append(box);
  return { box, key, height: place.height - head.offsetHeight - key.offsetHeight - 20 };
}

const grid = { stroke: "#e4e7ed", width: 1 };

function axes(unit, format) {
  const stroke = "#464c54";
  const incrs = { bytes: mib, s: seconds }[unit] ?? steps;
  return [
    { stroke, grid, values: "{HH}:{mm}", space: 60, incrs: [60, 120, 300] },
    { stroke, grid, size: 86, incrs, values: (_, ticks) => ticks.map(format) },
  ];
}

/** A row for each line, filled while it has a value. */
function drawStates(box, { lines, times }) {
  const list = document.createElement("ol");
  const share = 100 / (times.length - 1);
  for (const [index, { name, values }] of lines.entries()) {
    const row = document.createElement("li");
    const bar = document.createElement("div");
    row.append(name, bar);
    for (const [at, value] of values.entries()) {
      if (value === null) continue;
      const filled = document.createElement("i");
      filled.style.cssText = `left: ${at * share}%; width: ${share + 0.1}%; background: ${colors[index % colors.length]}`;
      bar.append(filled);
    }
    list.append(row);
  }
  box.append(list);
}

window.drawPanel = ({ type, title, unit, lines, times }, place) => {
  const format = formats[unit];
  if (!format) throw new Error(`${title} has the unit ${unit}, which is not drawn.`);
  const { box, key, height } = frame({ title, lines }, { place, format });
  if (lines.length === 0) return;
  if (type === "state-timeline") {
    key.remove();
    return drawStates(box, { lines, times });
  }
  const top = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const series = lines.map(({ name, values }, index) => ({
    label: name,
    stroke: colors[index % colors.length],
    width: 1.5,
    points: { show: values.filter((value) => value !== null).length < 2 },
  }));
  const options = {
    ...{ width: place.width - 16, height },
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: [0, top === 0 ? 1 : top * 1.1] } },
    axes: axes(unit, format),
    series: [{}, ...series],
  };
  new window.uPlot(options, [times, ...lines.map(({ values }) => values)], box);
  box.append(key);
};
