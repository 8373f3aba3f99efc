import { actions } from "./actions.ts";
import { ask, outcomeOf, post, type Answer } from "./ask.ts";
import { actionId, builtActions, builtRoutes, methodsOf, ownRoutes, publicFiles } from "./built.ts";
import { linesOf, others, pages, type Page } from "./pages.ts";
import { callers, ours, signedIn, type Caller, type Scene } from "./callers.ts";
import type { Action } from "./attempt.ts";
import { form } from "./form.ts";
import { anotherCase, aScene } from "./scene.ts";
import { changedBetween, standingOf, type Standing } from "./standing.ts";
import type { WireTask } from "../fixtures/agent.ts";
import { aPractice } from "../fixtures/journey.ts";
import { expect, test, type Stack } from "../fixtures/stack.ts";

/** What a server is begun with that forgets each practice it is to ask for. */
const forgetful = new URL("./forgetful.ts", import.meta.url).href;

let scene: Promise<Scene> | undefined;

// The cases stand where an act is due, and the worker would take them on.
test.beforeAll(({ stack }) => stack.stop("worker"));
test.afterAll(({ stack }) => stack.begin("worker"));

/** The one for all tests that leave it as it is. */
const aSharedScene = (stack: Stack): Promise<Scene> => (scene ??= aScene(stack));

const add = (what: string, file: string) =>
  `${what} is in the build and in no table. Say in e2e/authority/${file} who may have it, and this test proves it.`;

test("every page, route, file and server action of the build is in the tables of who may, and nothing else is", () => {
  const [routes, built] = [builtRoutes(), builtActions()];
  expect(built.length).toBeGreaterThan(30);
  for (const route of routes) expect(Object.keys(pages), add(route, "pages.ts")).toContain(route);
  for (const { name } of built) expect(Object.keys(actions), add(name, "actions.ts")).toContain(name);
  const beside = [...ownRoutes(), ...publicFiles()].filter((path) => !isOfNext(path, routes));
  for (const path of beside) expect(Object.keys(others), add(path, "pages.ts (others)")).toContain(path);
  expect({
    pages: Object.keys(pages).filter((name) => !routes.includes(name)),
    actions: Object.keys(actions).filter((known) => !built.some(({ name }) => name === known)),
    others: Object.keys(others).filter((path) => !beside.includes(path)),
  }).toEqual({ pages: [], actions: [], others: [] });
  for (const [route, page] of Object.entries(pages).filter(([name]) => name.endsWith("/route"))) {
    // The endpoints for programs answer each method themselves; a test of theirs goes through all.
    const methods = methodsOf(route);
    if (methods.includes("DELETE")) continue;
    expect(
      linesOf(page).map(({ method = "GET" }) => method),
      `the methods of ${route}`,
    ).toEqual(methods);
  }
});

test("every page and route opens for exactly those its table names, and shows nobody what is not theirs", async ({
  stack,
}) => {
  const scene = await aSharedScene(stack);
  const before = await standingOf(stack);
  const shown = new Set<string>();
  const wrong: string[] = [];
  for (const [name, page] of Object.entries({ ...pages, ...others }).flatMap(([key, first]) =>
    linesOf(first).map((line) => [key, line] as const),
  )) {
    const answers = await Promise.all(
      callers.map(async (caller) => [caller, await ask(stack, scene, { page, caller })] as const),
    );
    for (const [caller, answer] of answers) {
      const [got, wanted] = [outcomeOf(answer), wantedOf(page, caller)];
      if (got !== wanted) wrong.push(`${name} for ${caller}: ${got}, not ${wanted}`);
      wrong.push(...leaksIn(answer, { scene, caller, name }));
      for (const { text } of scene.canaries) if (answer.body.includes(text)) shown.add(`${text} to ${caller}`);
    }
  }
  expect(wrong).toEqual([]);
  const seenByThoseWhoMay = scene.canaries.flatMap(({ text, shownTo }) => shownTo.map((who) => `${text} to ${who}`));
  expect([...shown].sort()).toEqual(seenByThoseWhoMay.sort());
  // Reading is on record, and nothing else is changed by asking.
  expect(changedBetween(before, await standingOf(stack))).toEqual(["audit_entry", "gate_opened", "reading"]);
});

test("every page for people who are signed in has the button that signs them out", async ({ stack }) => {
  const scene = await aSharedScene(stack);
  const without: string[] = [];
  let opened = 0;
  for (const [name, page] of Object.entries(pages).filter(([key]) => key.endsWith("/page"))) {
    const caller = page.for === "all" ? undefined : signedIn.find((one) => page.for.includes(one));
    if (caller === undefined) continue;
    const { body } = await ask(stack, scene, { page, caller });
    opened += 1;
    if (!/<button\b[^>]*>Sign out<\/button>/.test(body)) without.push(name);
  }
  expect(opened).toBeGreaterThan(30);
  expect(without).toEqual([]);
});

test("every server action changes something for each of those its table names, and nothing for anybody else", async ({
  stack,
}) => {
  test.setTimeout(240_000);
  const wrong: string[] = [];
  const tried = new Set<string>();
  for (let turn = 0; turn < callers.length; turn += 1) {
    const due = Object.entries(actions).filter(([, action]) => turn === 0 || doersOf(action).length > turn);
    if (due.length === 0) break;
    // An act may leave nothing to do for the next who may.
    const scene = await aScene(stack);
    for (const [name, action] of due) {
      const id = actionId(name);
      const doer = doersOf(action)[turn];
      // As the attempt before left it, once there is one: what its scene takes is made before the first.
      let standing: Standing | undefined;
      const mine = doer === undefined ? scene : { ...scene, doer };
      for (const attempt of await action.attempts(mine, () => anOpenedCase(stack, mine))) {
        const label = attempt.what === undefined ? name : `${name} (${attempt.what})`;
        const args = attempt.args ?? [{ problems: {} }, form(attempt.form ?? {})];
        const send = (caller: Caller) => post(stack, scene, { id, path: attempt.path, args, caller });
        let before = standing ?? (await standingOf(stack));
        if (turn === 0) {
          const others = action.for === "all" ? [] : callers.filter((caller) => !action.for.includes(caller));
          const answers = await Promise.all(others.map(async (caller) => [caller, await send(caller)] as const));
          for (const [caller, answer] of answers) wrong.push(...leaksIn(answer, { scene, caller, name: label }));
          const between = await standingOf(stack);
          const changed = changedBetween(before, between);
          if (changed.length > 0) wrong.push(`${label}: ${others.join(", ")} changed ${changed.join(", ")}`);
          standing = before = between;
        }
        if (doer === undefined) continue;
        const answer = await send(doer);
        tried.add(`${label} by ${doer}`);
        if (answer.status >= 500) wrong.push(`${label}: HTTP ${answer.status} for ${doer}`);
        standing = await standingOf(stack);
        const nothingChanged = changedBetween(before, standing).length === 0;
        if (attempt.does === "changes" && nothingChanged) wrong.push(`${label}: changed nothing for ${doer}`);
        if (attempt.does === "leads on" && answer.location === "") wrong.push(`${label}: led ${doer} nowhere`);
      }
    }
  }
  expect(wrong).toEqual([]);
  for (const who of ours)
    expect([...tried]).toContain(`app/tasks/[id]/decision/actions.ts#decide (resolve-unconfirmed) by ${who}`);
  for (const who of signedIn)
    expect([...tried]).toContain(`app/account/notifications/actions.ts#saveNotifications by ${who}`);
});

test("where the queries ask for no practice, no page and no action shows or does a reviewer anything of another's", async ({
  stack,
}) => {
  const scene = await aSharedScene(stack);
  const second = await stack.oneMoreServer(async (baseUrl) => ({
    NODE_OPTIONS: `--import=${forgetful}`,
    PUBLIC_URL: baseUrl,
  }));
  const caller = "stranger";
  const wrong: string[] = [];
  const attempts = [];
  for (const [name, action] of Object.entries(actions).filter(([name]) => !name.endsWith("#signOut")))
    if (action.for !== "all" && !action.for.includes(caller))
      for (const attempt of await action.attempts(scene, () => anOpenedCase(stack, scene)))
        attempts.push({ name, ...attempt, id: actionId(name) });
  // What is forgotten is what protects: somebody who is behind no wall is shown the other practice's case.
  const theirs: Page = { at: () => `/tasks/${scene.theirs.id}`, for: [] };
  expect(outcomeOf(await ask(second, scene, { page: theirs, caller: "reviewer+admin" }))).toBe("in");
  const before = await standingOf(stack);
  for (const [name, page] of Object.entries(pages).flatMap(([key, first]) =>
    linesOf(first).map((line) => [key, line] as const),
  )) {
    const answer = await ask(second, scene, { page, caller });
    const [got, wanted] = [outcomeOf(answer), wantedOf(page, caller)];
    if (got !== wanted) wrong.push(`${name}: ${got}, not ${wanted}`);
    wrong.push(...leaksIn(answer, { scene, caller, name }));
  }
  for (const { name, id, path, args, form: fields = {} } of attempts) {
    const answer = await post(second, scene, { id, path, args: args ?? [{ problems: {} }, form(fields)], caller });
    wrong.push(...leaksIn(answer, { scene, caller, name }));
  }
  expect(wrong).toEqual([]);
  expect(attempts.length).toBeGreaterThan(50);
  // Reading lists and searching is on record.
  expect(changedBetween(before, await standingOf(stack))).toEqual(["audit_entry"]);
  await second.stop();
});

test("signing in again gives another token, and the one before opens nothing any more", async ({ stack }) => {
  const { reviewer } = await aPractice(stack);
  const { email, password } = reviewer;
  const before = `next-auth.session-token=${(await reviewer.newSession()).token}`;
  const browser = { cookieOf: { reviewer: before } as Scene["cookieOf"] };
  const isLive = async (cookie: string) =>
    (await fetch(`${stack.baseUrl}/session`, { headers: { cookie } })).status === 200;
  expect(await isLive(before)).toBe(true);
  const id = actionId("app/sign-in/actions.ts#signIn");
  const args = [{ failed: false, email: "" }, form({ email, password })];
  const { cookies } = await post(stack, browser, { id, path: "/sign-in", args, caller: "reviewer" });
  const [fresh = ""] = cookies
    .filter((cookie) => cookie.includes("session-token=ey"))
    .map((cookie) => cookie.split(";")[0]);
  expect(fresh).not.toBe("");
  expect(fresh).not.toBe(before);
  expect([await isLive(fresh), await isLive(before)]).toEqual([true, false]);
});

test("no arguments of a server action, however wrong, are a failure of ours or change anything", async ({ stack }) => {
  const scene = await aSharedScene(stack);
  const pathOf = new Map<string, string>();
  for (const [name, { attempts }] of Object.entries(actions))
    pathOf.set(name, (await attempts(scene, () => anotherCase(scene)))[0]?.path ?? "/");
  const before = await standingOf(stack);
  const hostile: readonly (readonly unknown[])[] = [
    [],
    [null, null],
    [{ problems: {} }, 7],
    [form({}), form({})],
    [
      { problems: {} },
      form({ intent: "__proto__", taskId: "\0", practiceId: "\uD800", channelId: "..", act: "assign", item: "x" }),
    ],
    [{ problems: {} }, { get: "x", getAll: 1 }],
  ];
  const wrong: string[] = [];
  for (const { id, name } of builtActions().filter((action) => !action.name.endsWith("#signOut"))) {
    const path = pathOf.get(name) ?? "/";
    for (const caller of ["nobody", "stranger"] as const) {
      const answers = await Promise.all(hostile.map((args) => post(stack, scene, { id, path, args, caller })));
      for (const [index, answer] of answers.entries()) {
        if (answer.status >= 500) wrong.push(`${name} with arguments ${index} of ${caller}: HTTP ${answer.status}`);
        wrong.push(...leaksIn(answer, { scene, caller, name }));
      }
    }
  }
  expect(wrong).toEqual([]);
  // A form without its box ticked is a choice of one's own too, and so is to end one's sessions and what one's devices
  // are known for, and to begin with an authenticator app, which takes no field.
  expect(changedBetween(before, await standingOf(stack))).toEqual(["known_device", "person", "totp"]);
});

/** Those who may, each of whom does it in a scene of their own. */
const doersOf = (action: Action): readonly Caller[] => (action.for === "all" ? ["nobody"] : action.for);

/** As a reviewer has it before them who is about to decide. */
async function anOpenedCase(stack: Stack, scene: Scene): Promise<WireTask> {
  const task = await anotherCase(scene);
  await ask(stack, scene, { page: { at: () => `/tasks/${task.id}`, for: [] }, caller: scene.doer });
  return task;
}

function isOfNext(path: string, routes: readonly string[]): boolean {
  const exact = path.replace(/\/$/, "");
  return routes.includes(`${exact}/route`) || routes.some((route) => path.endsWith("/") && route.startsWith(path));
}

function wantedOf(page: Page, caller: Caller): string {
  if (page.for === "all" || page.for.includes(caller)) return "in";
  const otherwise = page.otherwise ?? { signedOut: "unauthenticated", signedIn: "not found" };
  return otherwise[(signedIn as readonly string[]).includes(caller) ? "signedIn" : "signedOut"];
}

/** Whatever an answer shows that this caller may not see. */
function leaksIn(
  { status, location, body }: Answer,
  { scene, caller, name }: { scene: Scene; caller: Caller; name: string },
) {
  const hidden = scene.canaries.filter(({ shownTo }) => !shownTo.includes(caller));
  return hidden
    .filter(({ text }) => `${location} ${body}`.includes(text))
    .map(({ text }) => `${name} shows ${caller} "${text}" (HTTP ${status})`);
}
