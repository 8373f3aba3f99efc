import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LineChart } from "./line-chart.tsx";

test("a point is a line of some length: Safari would stretch one without any to the shape of the chart", () => {
  const chart = (
    <LineChart
      label="Line chart of requests"
      series={[{ name: "Requests", values: [0, null, 4] }]}
      from="Nov 1"
      to="Nov 3"
      textOf={String}
    />
  );
  expect(renderToStaticMarkup(chart)).toContain('d="M0.00 100.00h.01M100.00 0.00h.01"');
});
