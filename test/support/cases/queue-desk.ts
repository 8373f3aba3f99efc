import { beforeAll } from "vitest";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { openStates, type QueueView } from "#lib/queue/model/queue";
import { states } from "#lib/task/model/task";
import type { Store } from "#lib/db/db";
import { listQueue, type QueueQuestion } from "#lib/queue/list-queue";
import { aPerson, aPractice } from "./cases.ts";
import { listedCases, type ListedCase } from "./listed-cases.ts";

const hourMs = 60 * 60 * 1000;
const start = Date.now();
export const at = (hours: number) => new Date(start + hours * hourMs);
/** A channel that sent a third of the cases. */
export const busyChannel = "01a1fbb2-0000-7000-8000-000000000001";
export const whole: QueueQuestion = { view: "all", sort: "due", filters: {} };

/** Two practices of the reviewer's and one that is not, each with every state, and times that repeat. */
async function aDesk(store: Store, perState: number) {
  const practices = [await aPractice(store), await aPractice(store)];
  const foreign = await aPractice(store);
  const [reviewer, stranger, other] = [
    await aPerson(store, { practices }),
    await aPerson(store, { practices: [foreign] }),
    await aPerson(store, { practices: [] }),
  ];
  const made = [...practices, foreign].flatMap((practiceId) =>
    states.flatMap((state) =>
      Array.from({ length: perState }, (_, index) => {
        const held = state.endsWith("-held");
        const needsPerson = state.endsWith("-unconfirmed")
          ? "unconfirmed"
          : index % 11 === 10
            ? "contact-payer"
            : undefined;
        const payerHas = openStates.indexOf(state) > 4;
        return {
          ...{
            practiceId,
            state,
            needsPerson,
            urgent: index % 5 === 0,
            environment: index % 7 === 0 ? ("live" as const) : ("test" as const),
            remarkBy: index % 2 === 0 ? "reviewer" : undefined,
          },
          dueAt: held || needsPerson ? at((index % 7) - 3) : undefined,
          payerDueAt: payerHas && index % 3 !== 0 && openStates.includes(state) ? at((index % 5) - 1.5) : undefined,
          assigneeId: index % 4 === 0 ? reviewer.actor.id : index % 4 === 1 ? other.actor.id : undefined,
          ...{
            payerId: index % 6 === 0 ? "87042" : "60054",
            channelId: index % 3 === 0 ? busyChannel : undefined,
            procedureCodes: codesOf(index),
          },
          ...{
            changedAt: at(-(index % 9)),
            createdAt: at(-24 * (index % 10) - 1),
            expiresAt: at(24 * (index % 4) + 1),
          },
          ...{ reference: state === "determined" ? `REF-${index}` : undefined, memberId: `W-${index}` },
          ...(state === "determined" ? determinedOf(index) : {}),
        };
      }),
    ),
  );
  const cases = await listedCases(store, made);
  return { practices, foreign, reviewer, stranger, cases: cases.filter((one) => one.practiceId !== foreign) };
}

/** A third was denied; of the others, some have an authorization that ends soon. */
function determinedOf(index: number): Pick<ListedCase, "outcome" | "validTo" | "recourseOpen" | "actBy"> {
  if (index % 3 === 0)
    return {
      ...{ outcome: "denied", recourseOpen: index % 2 === 0 },
      actBy: index % 4 === 0 ? at(24 * (index % 5) - 12) : undefined,
    };
  return { outcome: "approved", validTo: index % 3 === 1 ? at(24 * (index % 12)) : undefined };
}

/** The same code in every place, also beyond those that are in an index each, and twice. */
function codesOf(index: number): readonly string[] {
  if (index % 8 === 0) return ["72148", "J1100"];
  if (index % 8 === 3) return ["72148", "97110", "J1100", "J1100"];
  return index % 8 === 6 ? ["97110", "97112", "97110", "72148", "J1100"] : ["72148"];
}

type Desk = Awaited<ReturnType<typeof aDesk>>;

/** One desk for all tests of a file, made before the first. */
export function oneDesk(store: Store, perState: number): () => Desk {
  let made: Desk | undefined;
  beforeAll(async () => {
    made = await aDesk(store, perState);
  });
  return () => {
    if (!made) throw new Error("The desk is made first.");
    return made;
  };
}

/** What a view holds, said over again in the plainest way. */
export function belongs(view: QueueView, one: ListedCase, personId: string): boolean {
  const open = openStates.includes(one.state);
  const held = one.state.endsWith("-held");
  const expires = one.expiresAt ?? at(1000);
  const inView: Record<QueueView, boolean> = {
    snoozed: false,
    release: held,
    all: open,
    mine: open && one.assigneeId === personId,
    unassigned: open && one.dueAt !== undefined && one.assigneeId === undefined,
    urgent: open && one.urgent === true,
    expiring: held && expires < at(48),
    person: one.needsPerson !== undefined || (one.payerDueAt !== undefined && one.payerDueAt < at(0)),
    "sent-back": one.state === "needs-information" && one.remarkBy !== undefined,
    "payer-wants": one.state === "payer-needs-information",
    "at-payer": ["transmit-released", "transmitting", "transmitted", "void-released", "voiding"].includes(one.state),
    decided: one.state === "determined",
    "past-target": open && one.dueAt !== undefined && one.dueAt <= at(0),
    "near-target": open && one.dueAt !== undefined && one.dueAt > at(0) && one.dueAt < at(4),
    "payer-late": open && one.payerDueAt !== undefined && one.payerDueAt < at(0),
    ending: one.validTo !== undefined,
    denied: one.recourseOpen === true,
    failed: one.state === "failed",
  };
  return inView[view];
}

/** Every page from the first, or from the last back. */
export async function pagesOf(ctx: Context<PersonActor>, question: QueueQuestion, size: number): Promise<string[][]> {
  const pages: string[][] = [];
  let place: string | undefined;
  do {
    const page = await listQueue(ctx, { ...question, place }, size);
    pages.push(page.rows.map(({ taskId }) => taskId));
    place = page.after;
  } while (place !== undefined);
  return pages;
}

/** Where the last page begins. */
export async function lastPlace(
  ctx: Context<PersonActor>,
  question: QueueQuestion,
  size: number,
): Promise<string | undefined> {
  let page = await listQueue(ctx, question, size);
  while (page.after) page = await listQueue(ctx, { ...question, place: page.after }, size);
  return page.before;
}
