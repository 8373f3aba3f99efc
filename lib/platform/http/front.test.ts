import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { edgeDeps } from "#test/support/agents/edge";
import { exchange, listening } from "#test/support/servers/served";
import { bodyBytesMax } from "./arrival.ts";
import { createHealth } from "#lib/a2a/health";
import { a2aListener } from "#lib/a2a/listener";
import { drainable } from "./drain.ts";
import { createFront, nothingHere, type FrontOptions } from "./front.ts";
import { liveListener, readyListener } from "#lib/a2a/health-listener";

const opened: ReturnType<typeof createFront>[] = [];
afterEach(() => opened.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

const a2a = a2aListener(edgeDeps());

async function aFront(
  options: Partial<FrontOptions> = {},
): Promise<{ server: ReturnType<typeof createFront>; url: string }> {
  const server = createFront({
    byPath: { "/api/a2a": a2a },
    rest: (incoming, outgoing) => void outgoing.end(`page ${incoming.url}`),
    upgrades: () => false,
    onError: () => undefined,
    ...options,
  });
  opened.push(server);
  return { server, url: await listening(server) };
}

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)) as unknown;
const post = (headers: string, body = "") =>
  `POST /api/a2a HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}\r\n\r\n${body}`;

describe("what is no request for anyone is answered in JSON, and told", () => {
  test.each([
    ["a Host with spaces", post("Host: a b@c\r\nContent-Length: 2", "{}"), 400],
    ["no Host", post("Content-Length: 2", "{}"), 400],
    ["two Hosts", post("Host: a\r\nhost: b\r\nContent-Length: 2", "{}"), 400],
    ["a port that is none", post("Host: a:b\r\nContent-Length: 2", "{}"), 400],
    ["a target that is no path", "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400],
    ["no HTTP", "hello\r\n\r\n", 400],
    ["a length that is none", post("Host: a\r\nContent-Length: x"), 400],
    ["a length and chunks", post("Host: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked", "{}"), 400],
    ["a transfer coding that is none", post("Host: a\r\nTransfer-Encoding: xchunked", "{}"), 400],
    ["a chunk without a length", post("Host: a\r\nTransfer-Encoding: chunked", "z\r\n{}\r\n0\r\n\r\n"), 400],
    ["headers without end", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(40_000)}\r\n\r\n`, 431],
    ["TRACE of a page", "TRACE /queue HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405],
    ["an expectation", post("Host: a\r\nExpect: more\r\nContent-Length: 2", "{}"), 417],
  ])("%s", async (_, bytes, status) => {
    const refused: number[] = [];
    const { url } = await aFront({ onRefused: (report) => refused.push(report) });
    const answer = await exchange(url, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(refused).toEqual([status]);
    expect(bodyOf(answer)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
  });
});

test("a whole call with something behind it that is no request is never told that it was refused", async () => {
  const begun = vi.fn<() => void>();
  const { url } = await aFront({ byPath: { "/api/a2a": begun } });
  const whole = "POST /api/a2a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}";
  expect(await exchange(url, `${whole}no request\r\n\r\n`)).toBe("");
  expect(begun).toHaveBeenCalledOnce();
});

test("a balancer that speaks HTTP/1.0 without a Host is told our health, and nothing else", async () => {
  const { url } = await aFront({ byPath: { "/health/live": liveListener } });
  expect(await exchange(url, "GET /health/live HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
  expect(await exchange(url, "GET /queue HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
  expect(await exchange(url, "GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
});

describe("the endpoint", () => {
  test("is found by path, with a query and in absolute form; all else goes to the pages", async () => {
    const { url } = await aFront();
    const answers = [`POST /api/a2a?x=1`, `POST http://a/api/a2a`].map((line) =>
      exchange(
        url,
        `${line} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`,
      ),
    );
    for (const answer of await Promise.all(answers)) expect(bodyOf(answer)).toMatchObject({ error: { code: -32600 } });
    expect(await (await fetch(`${url}/api/a2a/more`)).text()).toBe("page /api/a2a/more");
    expect(await (await fetch(`${url}/constructor`)).text()).toBe("page /constructor");
  });

  test("a page is asked for by its path alone, whatever host an absolute target names", async () => {
    const { url } = await aFront();
    const pageAt = (target: string) => exchange(url, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    for (const target of [
      "http://elsewhere.example/queue?view=mine",
      "https://me:word@elsewhere.example/queue?view=mine",
    ])
      expect(await pageAt(target)).toMatch(/page \/queue\?view=mine$/);
    expect(await pageAt("http://elsewhere.example")).toMatch(/page \/$/);
    for (const target of ["javascript:alert(1)", "mailto:a@b.example"])
      expect(await pageAt(target)).toMatch(/^HTTP\/1.1 400 /);
  });

  test("answers TRACE and an upgrade like anything that is no POST", async () => {
    const { url } = await aFront();
    const upgrade = "Connection: Upgrade\r\nUpgrade: h2c";
    for (const line of ["TRACE", "GET", "FOO"]) {
      const answer = await exchange(
        url,
        `${line} /api/a2a HTTP/1.1\r\nHost: a\r\n${line === "GET" ? upgrade : "Connection: close"}\r\n\r\n`.replace(
          "h2c\r\n",
          "h2c\r\nConnection: close\r\n",
        ),
      );
      expect(answer).toMatch(line === "FOO" ? /^HTTP\/1.1 400 / : /^HTTP\/1.1 405 /);
      if (line !== "FOO") expect(answer.toLowerCase()).toContain("\r\nallow: post\r\n");
    }
  });

  test("stops reading a body beyond the limit, however it is framed", async () => {
    const { url } = await aFront();
    const announced = await exchange(url, post(`Host: a\r\nContent-Length: ${bodyBytesMax + 1}`, "{"));
    const chunk = Buffer.alloc(bodyBytesMax + 1, " ");
    const chunked = await exchange(
      url,
      `${post("Host: a\r\nTransfer-Encoding: chunked")}${chunk.length.toString(16)}\r\n${chunk.toString()}\r\n`,
    );
    for (const answer of [announced, chunked]) {
      expect(answer).toMatch(/^HTTP\/1.1 413 /);
      expect(answer.toLowerCase()).toContain("\r\nconnection: close\r\n");
    }
  });

  test("lets a body begin however many of its address are unfinished: the first of them is told to come again, as by a busy service", async () => {
    const { url } = await aFront();
    const begun = post("Host: a\r\nContent-Length: 2", "{").replace("Connection: close\r\n", "");
    const received: string[] = [];
    const sockets = Array.from({ length: 257 }, () => connect(Number(new URL(url).port), "127.0.0.1"));
    for (const socket of sockets) {
      socket.on("error", () => undefined).on("data", (chunk) => void received.push(chunk.toString()));
      socket.write(begun);
    }
    await vi.waitUntil(() => received.length > 0, { timeout: 8_000 });
    const [answer = ""] = received;
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer.toLowerCase()).toContain("\r\nretry-after: 1\r\n");
    expect(bodyOf(answer)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000 } });
    expect(await exchange(url, post("Host: a\r\nContent-Length: 2", "[]"))).toMatch(/^HTTP\/1.1 200 /);
    for (const socket of sockets) socket.destroy();
  });

  test("keeps the connection for the next call", async () => {
    const { url } = await aFront();
    const once = "POST /api/a2a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]";
    const answer = await exchange(url, once + post("Host: a\r\nContent-Length: 2", "[]"));
    expect(answer.match(/HTTP\/1.1 200 /g)).toHaveLength(2);
  });
});

test("a page that fails is answered 500 in fixed words, and told to the log", async () => {
  const errors: unknown[] = [];
  const { url } = await aFront({
    rest: () => Promise.reject(new Error("secret")),
    onError: (error) => errors.push(error),
  });
  const answer = await fetch(`${url}/x`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain("secret");
  expect(errors).toHaveLength(1);
});

describe("draining", () => {
  test("lets a call under way be answered, closes idle connections and takes no new one", async () => {
    const entered = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const rest: FrontOptions["rest"] = async (_, outgoing) => {
      entered.resolve();
      await go.promise;
      outgoing.end("done");
    };
    const { server, url } = await aFront({ rest });
    const drain = drainable(server);
    const idle = connect(Number(new URL(url).port), "127.0.0.1");
    await once(idle, "connect");
    const call = request(`${url}/slow`, { headers: { connection: "keep-alive" } }).end();
    await entered.promise;
    const drained = drain();
    await expect(fetch(`${url}/late`)).rejects.toThrow(/fetch failed/);
    go.resolve();
    const [response] = (await once(call, "response")) as [IncomingMessage];
    expect((await response.toArray()).join("")).toBe("done");
    await drained;
    idle.destroy();
  });
});

describe("health", () => {
  const healthy = async (probe: () => Promise<void>) => {
    const health = createHealth(probe);
    const { url } = await aFront({ byPath: { "/health/live": liveListener, "/health/ready": readyListener(health) } });
    const ask = async (path: string) => {
      const response = await fetch(`${url}/health/${path}`);
      return [response.status, await response.json()];
    };
    return { health, ask };
  };

  test("is ready while the database answers, and not once it stops", async () => {
    const { health, ask } = await healthy(() => Promise.resolve());
    expect(await ask("ready")).toEqual([200, { status: "ready", mail: "off" }]);
    health.markStopping();
    expect(await ask("ready")).toEqual([503, { status: "not-ready", because: "stopping" }]);
    expect(await ask("live")).toEqual([200, { status: "live" }]);
  });

  test.each([
    ["refuses", () => Promise.reject(new Error("no"))],
    ["says nothing for a second", () => new Promise<void>(() => undefined)],
  ])("is not ready while the database %s", async (_, probe) => {
    const { ask } = await healthy(probe);
    expect(await ask("ready")).toEqual([503, { status: "not-ready", because: "database" }]);
    expect(await ask("live")).toEqual([200, { status: "live" }]);
  });

  test("asks the database once a second, however many ask, and never again before it was answered", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const answers: (() => void)[] = [];
    const health = createHealth(() => new Promise((resolve) => void answers.push(resolve)));
    const many = Promise.all(Array.from({ length: 50 }, () => health.readiness()));
    answers[0]?.();
    expect(new Set((await many).map(({ status }) => status))).toEqual(new Set(["ready"]));
    expect((await health.readiness()).status).toBe("ready");
    vi.advanceTimersByTime(1_001);
    const late = health.readiness();
    vi.advanceTimersByTime(1_501);
    expect((await late).status).toBe("not-ready");
    vi.advanceTimersByTime(60_000);
    expect((await health.readiness()).status).toBe("not-ready");
    expect(answers).toHaveLength(2);
    answers[1]?.();
    await nextTurn();
    expect((await health.readiness()).status).toBe("ready");
  });
});

test("an address under /api/ at which nothing is served is answered in JSON, whatever the verb", async () => {
  const { url } = await aFront({ byPrefix: { "/api/": nothingHere("https://pa.example/developers/errors") } });
  for (const method of ["GET", "POST", "DELETE"]) {
    const answer = await fetch(`${url}/api/tasks`, { method });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32600,
        message: "Invalid request",
        data: {
          problem: "Nothing is served here: send a POST to /api/a2a.",
          requestId: answer.headers.get("x-request-id"),
          help: "https://pa.example/developers/errors#error--32600-invalid-request",
        },
      },
    });
  }
});
