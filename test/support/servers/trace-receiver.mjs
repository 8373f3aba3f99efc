import { createServer } from "node:http";

/** An OTLP receiver over HTTP with JSON: what was sent to it is answered to a GET. Prints its port. */
const spans = [];
const server = createServer((request, response) => {
  if (request.method === "GET") return void response.end(JSON.stringify(spans));
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    keep(JSON.parse(Buffer.concat(parts).toString()));
    response.setHeader("content-type", "application/json").end("{}");
  });
});

function keep({ resourceSpans }) {
  for (const { resource, scopeSpans } of resourceSpans) {
    const component = resource.attributes.find(({ key }) => key === "service.component")?.value.stringValue;
    for (const { spans: some } of scopeSpans) spans.push(...some.map((span) => ({ ...span, component })));
  }
}

server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.on("disconnect", () => process.exit());
