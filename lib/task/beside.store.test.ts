import { afterAll, expect, test } from "vitest";
import { atoms } from "#lib/access/model/actor";
import { putProvider } from "#lib/practice/set-providers";
import { operator } from "#test/support/people/admin";
import { aChannel, anIntake, aPractice, aStore, fullReview } from "#test/support/cases/cases";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { sendMessage } from "./send-message.ts";

const store = aStore();
afterAll(() => store.close());

type Channel = Awaited<ReturnType<typeof aChannel>>;

/** What a channel is warned of in the reply to an intake, and the task that it opened. */
async function replyTo(
  channel: Channel,
  practiceId: string,
  review: Parameters<typeof anIntake>[0]["review"] = fullReview,
) {
  const sent = await sendMessage(channel, anIntake({ practiceId, review }));
  if (!sent.ok) throw new Error(`The intake was refused: ${sent.refusal.type}`);
  const { id, advice } = sent.value;
  return { id, warnings: advice?.warnings ?? [] };
}

test("an agent that asks for the same a second time is told of the task that waits already, also by another channel", async () => {
  const practiceId = await aPractice(store);
  const [first, second] = [
    await aChannel(store, { practices: [practiceId] }),
    await aChannel(store, { practices: [practiceId] }),
  ];
  const { id, warnings } = await replyTo(first, practiceId);
  expect(warnings).toEqual([]);
  const again = await replyTo(second, practiceId);
  const codes = fullReview.procedures.map(({ code }) => code).join(", ");
  expect(again.warnings).toEqual([{ code: "same-request-open", path: "", values: [codes, id] }]);
});

test("an agent is told what the payer approved for the member before, and until when", async () => {
  const validTo = "2099-01-31";
  const { channel, practiceId, taskId } = await anAnsweredTask(store, {
    type: "decided",
    determination: { ...approved, validTo },
  });
  const procedures = fullReview.procedures.map((line) => ({ ...line, modifierCode1: "26" }));
  const { warnings } = await replyTo(channel, practiceId, { ...fullReview, procedures });
  expect(warnings).toContainEqual({
    ...{ code: "existing-approval", path: "" },
    values: [expect.stringContaining(fullReview.procedures[0]?.code ?? "-"), validTo, taskId],
  });
});

test("a channel that may not read tasks, and one of another practice, learns of no other case", async () => {
  const [practiceId, elsewhere] = [await aPractice(store), await aPractice(store)];
  const reader = await aChannel(store, { practices: [practiceId] });
  await replyTo(reader, practiceId);
  const writer = await aChannel(store, {
    practices: [practiceId],
    atoms: atoms.filter((atom) => atom !== "tasks_get"),
  });
  expect((await replyTo(writer, practiceId)).warnings).toEqual([]);
  const stranger = await aChannel(store, { practices: [elsewhere] });
  expect((await replyTo(stranger, elsewhere)).warnings).toEqual([]);
});

test("a provider whom the practice does not list is named where it stands", async () => {
  const practiceId = await aPractice(store);
  const npi = "1234567893";
  const roles = ["requesting", "rendering"] as const;
  expect(
    await putProvider({ actor: operator, store }, { practiceId, npi, name: "Elm Street Spine", roles }),
  ).toMatchObject({
    ok: true,
  });
  const channel = await aChannel(store, { practices: [practiceId] });
  const { warnings } = await replyTo(channel, practiceId, {
    ...fullReview,
    requestingProvider: { ...fullReview.requestingProvider, npi: "1245319599" },
    renderingProviders: [],
  });
  expect(warnings).toEqual([
    { code: "unknown-provider", path: "/requestingProvider/npi", values: ["1245319599", "requesting"] },
  ]);
});

test("those who ask at once are each told of their own member's cases, and of nobody else's", async () => {
  const practices = await Promise.all(Array.from({ length: 3 }, () => aPractice(store)));
  const tasks = await Promise.all(
    practices.flatMap((practiceId) =>
      ["HM1", "HM2"].map(async (memberId) => {
        const channel = await aChannel(store, { practices: [practiceId] });
        const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId } };
        const { id } = await replyTo(channel, practiceId, review);
        return { id, again: () => replyTo(channel, practiceId, review) };
      }),
    ),
  );
  const replies = await Promise.all(tasks.map(({ again }) => again()));
  const codes = fullReview.procedures.map(({ code }) => code).join(", ");
  expect(replies.map(({ warnings }) => warnings)).toEqual(
    tasks.map(({ id }) => [{ code: "same-request-open", path: "", values: [codes, id] }]),
  );
});
