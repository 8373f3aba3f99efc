import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anAuthority } from "#test/support/servers/certificates";
import { aCollector } from "#test/support/servers/syslog";
import { openLogCollector } from "./log-collector.ts";

const [known, unknown] = [anAuthority(), anAuthority()];
const trusted = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...trusted, known.cert]));
afterAll(() => setDefaultCACertificates(trusted));

const line = (msg: string, level = "info") =>
  `${JSON.stringify({ level, time: "2026-11-22T12:00:00.000Z", process: "trial", msg })}\n`;

test("each line arrives once, in order, as syslog over TLS with its level and time, before the process ends", async () => {
  const { url, messages } = await aCollector(known.certify("localhost"));
  const collector = openLogCollector(url);
  collector.take(line("né\u2028first"));
  collector.take(line("second", "error"));
  await collector.end();
  await expect.poll(messages).toHaveLength(2);
  const [first = "", second = ""] = messages();
  expect(first).toMatch(/^<134>1 2026-11-22T12:00:00\.000Z \S+ prior-authorization \d+ - - \{/);
  expect(JSON.parse(first.slice(first.indexOf("{")))).toMatchObject({ msg: "né\u2028first", process: "trial" });
  expect(second).toMatch(/^<131>1 /);
});

test("a collector whose certificate is of nobody we trust, or for another name, gets nothing", async () => {
  for (const own of [unknown.certify("localhost"), known.certify("elsewhere.example")]) {
    const { url, messages } = await aCollector(own);
    const collector = openLogCollector(url);
    collector.take(line("for nobody"));
    await collector.end();
    expect(messages()).toEqual([]);
  }
});

test("what was logged while the collector was away arrives when it is back, and how much was too much is said", async () => {
  const { url, messages, isAway } = await aCollector(known.certify("localhost"));
  isAway(true);
  const collector = openLogCollector(url, { againMs: 20 });
  for (let n = 0; n < 10_500; n += 1) collector.take(line(`line ${n}`));
  await collector.end();
  expect(messages()).toEqual([]);
  isAway(false);
  await expect.poll(() => messages().length, { timeout: 5_000 }).toBeGreaterThan(9_000);
  const texts = messages().map((text) => JSON.parse(text.slice(text.indexOf("{"))) as { msg: string; count?: number });
  expect(texts[0]).toMatchObject({ level: "warn", msg: "log lines were lost", count: 1_000 });
  expect(texts.slice(1).map(({ msg }) => msg)).toEqual(Array.from({ length: 9_500 }, (_, n) => `line ${n + 1_000}`));
});
