import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { ask, call, intake, post } from "./post.ts";
import type { Scene } from "./scene.ts";

/** Goes on until its process is ended. A new attack is a row here. */
export const attacks: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  "nothing at all": async () => wait(600_000),
  "520 sockets with the headers of a token request": async (scene) =>
    hold(scene, 520, head("/api/token", "application/x-www-form-urlencoded", 2_000)),
  "520 sockets with half a call and no key": async (scene) =>
    hold(
      scene,
      520,
      `${head("/api/a2a", "application/json", 500_000)}{"jsonrpc":"2.0","params":["${"x".repeat(30_000)}`,
    ),
  "520 sockets with half a form for a page": async (scene) =>
    hold(scene, 520, `${head("/sign-in", "application/x-www-form-urlencoded", 500_000)}email=${"x".repeat(30_000)}`),
  "1,500 sockets that say nothing": async (scene) => hold(scene, 1_500, ""),
  "32 at once with a false assertion": async (scene) => atOnce(32, () => falseAssertion(scene)),
  "32 sign-ins at once of one address past its limit": signInPastLimit,
  "2 polls a second with the history of a task amended 60 times with 1 MB": async (scene) =>
    forEver(async () => {
      void post(scene, call("tasks/get", { id: scene.taskId, historyLength: 1_000 }));
      await wait(500);
    }),
  "6 bodies of 33 MB of text at once": async (scene) => {
    const body = Buffer.from(intake({ ...scene, notes: Array.from({ length: 90 }, () => "x".repeat(370_000)) }));
    return atOnce(6, () => post(scene, body));
  },
  "12 messages with 6.7 MB of files at once": async (scene) => {
    const file = `%PDF-1.7\n${randomBytes(2_500_000).toString("hex")}`;
    const { practiceId } = scene;
    const body = Buffer.from(intake({ practiceId, files: [Buffer.from(file).toString("base64")] }));
    return atOnce(12, () => post(scene, body));
  },
};

const head = (path: string, type: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`;

/** Keeps so many sockets open that sent just this; one that was closed is opened anew a moment later. */
async function hold({ port }: Scene, count: number, bytes: string): Promise<void> {
  await atOnce(count, async () => {
    await new Promise<void>((closed) => {
      const socket = connect(port, "127.0.0.1", () => void socket.write(bytes));
      socket
        .on("error", () => undefined)
        .on("close", () => closed())
        .resume();
    });
    await wait(100);
  });
}

function falseAssertion({ port }: Scene): Promise<unknown> {
  const claims = { iss: "AAAAAAAAAA", sub: "AAAAAAAAAA", jti: crypto.randomUUID(), exp: 2_000_000_000 };
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: `${part({ alg: "ES384" })}.${part(claims)}.${randomBytes(96).toString("base64url")}`,
  }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": form.length };
  return ask({ port, path: "/api/token", method: "POST", headers }, form);
}

/** As a browser without scripts posts the form, each time for another account. */
async function signInPastLimit({ port }: Scene): Promise<void> {
  const page = await ask({ port, path: "/sign-in" });
  const form = /<form(?:(?!<\/form>).)*name="password"/s.exec(page.text)?.[0] ?? "";
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)];
  if (!hidden.some(([, name]) => name?.startsWith("$ACTION"))) throw new Error("The sign-in page has no form.");
  const origin = `http://127.0.0.1:${port}`;
  return atOnce(32, async () => {
    const fields = new FormData();
    for (const [, name = "", value = ""] of hidden) fields.set(name, value.replaceAll("&quot;", '"'));
    fields.set("email", `${crypto.randomUUID()}@bench.example`);
    fields.set("password", "not the password of anybody");
    const posted = new Response(fields);
    const type = posted.headers.get("content-type") ?? "";
    const body = await posted.text();
    const headers = { "content-type": type, "content-length": Buffer.byteLength(body), origin };
    await ask({ port, path: "/sign-in", method: "POST", headers }, body);
  });
}

async function atOnce(count: number, one: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => forEver(one)));
}

async function forEver(one: () => Promise<unknown>): Promise<void> {
  for (;;) await one();
}
