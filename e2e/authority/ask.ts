import type { Stack } from "../fixtures/stack.ts";
import type { Outcome, Page } from "./pages.ts";
import type { Caller, Scene } from "./callers.ts";

export type Answer = {
  readonly status: number;
  readonly location: string;
  readonly body: string;
  /** As the answer sets them. */
  readonly cookies: readonly string[];
};

/** Asks for a page as this caller; of a stream, what it begins with. */
export async function ask(stack: Target, scene: Scene, { page, caller }: { page: Page; caller: Caller }) {
  const { method = "GET", form } = page;
  return answerTo(`${stack.baseUrl}${page.at(scene)}`, {
    method,
    headers: { cookie: scene.cookieOf[caller], ...(method === "POST" ? { origin: stack.baseUrl } : {}) },
    ...(form ? { body: new URLSearchParams(form) } : {}),
  });
}

/** The server that is asked. */
type Target = Pick<Stack, "baseUrl">;

type PostedForm = {
  readonly id: string;
  readonly path: string;
  readonly args: readonly unknown[];
  readonly caller: Caller;
};

/** Posts a server action as a browser of this caller would, with these arguments. */
export async function post(
  stack: Target,
  scene: Pick<Scene, "cookieOf">,
  { id, path, args, caller }: PostedForm,
): Promise<Answer> {
  return answerTo(`${stack.baseUrl}${path}`, {
    method: "POST",
    headers: { cookie: scene.cookieOf[caller], origin: stack.baseUrl, "next-action": id, accept: "text/x-component" },
    body: encoded(args),
  });
}

/** A form as an argument, in the encoding React gives it; the rest is JSON. */
function encoded(args: readonly unknown[]): FormData {
  const body = new FormData();
  let forms = 0;
  const plain = args.map((arg) => {
    if (!(arg instanceof FormData)) return arg;
    forms += 1;
    for (const [name, value] of arg) body.append(`_${forms}_${name}`, value);
    return `$K${forms.toString(16)}`;
  });
  body.append("0", JSON.stringify(plain));
  return body;
}

async function answerTo(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(20_000) });
  const location = answer.headers.get("location") ?? answer.headers.get("x-action-redirect") ?? "";
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const body = isStream ? await beginning(answer) : await answer.text();
  return { status: answer.status, location, body, cookies: answer.headers.getSetCookie() };
}

async function beginning({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
}

export function outcomeOf({ status, location }: Answer): Outcome | `HTTP ${number}` {
  const path = URL.parse(location, "http://localhost")?.pathname;
  if (status >= 300 && status < 400) {
    if (path === "/sign-in") return "unauthenticated";
    return path === "/not-found" ? "not found" : "elsewhere";
  }
  if (status < 300) return "in";
  if (status === 401) return "unauthenticated";
  if (status === 404) return "not found";
  return status < 500 ? "refused" : `HTTP ${status}`;
}
