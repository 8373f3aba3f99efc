import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "#lib/db/db";
import type { CaseAges } from "./case-ages.ts";
import { cardiologyCases } from "./cardiology-cases.ts";
import { reviewOf, type DemoCase } from "./demo-case.ts";
import { documentOf } from "./documents.ts";
import type { DemoEnvironment } from "./environment.ts";
import { sendAsAgent, type DemoActors } from "./demo-actors.ts";
import { openOwnDatabase, type OwnDatabase } from "./own-database.ts";
import { follow } from "./paths.ts";
import { openForBusiness, place, type DemoPlaces } from "./place-people.ts";
import { practices } from "./places.ts";
import { makeSandbox, type Sandbox } from "./sandbox.ts";
import { simulatedPayer, type SimulatedPayer } from "./simulated-payer.ts";
import { sleepCases } from "./sleep-cases.ts";
import { spineCases } from "./spine-cases.ts";

const hourMs = 60 * 60 * 1000;

/** The content of `DATA_DIR/demo.json`, for people, tests and the welcome message. */
export type Demo = {
  readonly baseUrl: string;
  readonly practiceId: string;
  /** A practice that the demo channel cannot access. */
  readonly otherPracticeId: string;
  readonly channelKey: string;
  readonly reviewer: { readonly email: string; readonly password: string };
  readonly admin: { readonly email: string; readonly password: string };
  readonly simulatorUrl: string;
  /** A practice whose requests are released automatically, and the key of a test channel that reaches it alone. */
  readonly sandbox: { readonly practiceId: string; readonly channelKey: string };
};

/**
 * Creates the demo: practices, routes, channels, people and cases in every state, all through the verbs of production and
 * with the answers of the payer simulator. An interrupted run leaves a mark, and the next run starts over.
 */
export async function makeDemo(store: Store, given: DemoEnvironment): Promise<Demo> {
  const database = await openOwnDatabase(given.DATABASE_URL);
  const mark = join(given.DATA_DIR, "demo.making");
  try {
    await beginAfresh(database, mark);
    const payer = simulatedPayer(given.SIMULATOR_URL);
    await payer.untilReady();
    const operator = { actor: { kind: "operator" }, store } as const;
    const payerAt = {
      simulatorUrl: given.SIMULATOR_URL,
      credential: given.SIMULATOR_TOKEN ?? "demo-payer-credential",
    };
    const placed = await place(operator, payerAt);
    const made = await makeCases({ store, payer, placed });
    await openForBusiness(operator);
    const sandbox = await makeSandbox(operator, payerAt);
    await database.moveBack(made, store);
    const demo = demoOf(given, placed, sandbox);
    writePrivate(join(given.DATA_DIR, "demo.json"), demo);
    rmSync(mark);
    return demo;
  } finally {
    await database.close();
  }
}

async function beginAfresh(database: OwnDatabase, mark: string): Promise<void> {
  if (existsSync(mark)) await database.empty();
  else if (!(await database.isEmpty())) {
    throw new Error(
      "The database holds data already, and its demo.json is gone: put it back, or delete the data folder to begin afresh.",
    );
  }
  writeFileSync(mark, "The demo is being made; found at a start, it was cut short and is made afresh.\n");
}

type Making = { readonly store: Store; readonly payer: SimulatedPayer; readonly placed: DemoPlaces };

/** The oldest first, each with the payer's clock set to its time. */
async function makeCases({ store, payer, placed }: Making) {
  const today = new Date();
  const cases = [...spineCases, ...cardiologyCases, ...sleepCases];
  const made: CaseAges[] = [];
  for (const about of cases.toSorted((one, other) => other.hoursAgo - one.hoursAgo)) {
    const at = new Date(today.getTime() - about.hoursAgo * hourMs);
    await payer.setClock(at);
    const hands: DemoActors = {
      agent: { actor: placed.agents[about.agent ?? "desk"], store },
      reviewer: { actor: placed.reviewer.actor, store },
      worker: { actor: { kind: "worker" }, store },
    };
    const taskId = await sendAsAgent(hands, {
      data: intakeOf(about, today),
      note: about.note,
      documents: about.documents?.map((kind) => documentOf(kind, about, today)),
    });
    await follow({ hands, taskId, about, today, at });
    made.push({ taskId, hours: about.hoursAgo, ...spent(about, made.length) });
  }
  await payer.setClock(new Date());
  return made;
}

/** How long a case waits for its reviewer and its payer; varied, but the same in every run. */
function spent({ path, ends, hoursAgo }: DemoCase, index: number): Omit<CaseAges, "taskId" | "hours"> {
  const answered =
    path !== "is undecided" && path !== "is withdrawn" && !path.endsWith("amended") && !path.endsWith("updated");
  const decided = path === "is with the payer" && ends === "determined";
  return {
    waitedHours: answered ? Math.min(8, hoursAgo / 3) * (((index * 37) % 90) / 100 + 0.1) : 0,
    tookHours: decided ? 3 + ((index * 13) % 41) : 0,
  };
}

function intakeOf(about: DemoCase, today: Date) {
  const practiceId = practices[about.practice].id;
  return { skill: "prior_auth_intake", practiceId, serviceReview: reviewOf(about, today) };
}

function demoOf(
  { PUBLIC_URL: baseUrl, SIMULATOR_URL: simulatorUrl }: DemoEnvironment,
  placed: DemoPlaces,
  { practiceId, channelKey: sandboxKey }: Sandbox,
): Demo {
  const { channelKey, admin } = placed;
  const { email, password } = placed.reviewer;
  return {
    baseUrl,
    practiceId: practices.spine.id,
    otherPracticeId: practices.sleep.id,
    channelKey,
    reviewer: { email, password },
    admin,
    simulatorUrl,
    sandbox: { practiceId, channelKey: sandboxKey },
  };
}

/** Writes a file atomically, readable only by its owner. */
function writePrivate(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
