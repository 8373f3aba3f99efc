import { afterAll, expect, test } from "vitest";
import {
  aHeldTask,
  anIntake,
  aPerson,
  aPractice,
  aStore,
  fullReview,
  seenOn,
  theWorker,
} from "#test/support/cases/cases";
import { aPdf, aPng, aReceivedFile } from "#test/support/agents/files";
import { getTask } from "./get-task.ts";
import { readAttachment } from "./read-attachment.ts";
import { recallRelease } from "#lib/gate/recall-release";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "./review-task.ts";
import { requestInformation } from "#lib/gate/request-information";
import { sendMessage } from "./send-message.ts";
import { claimTransmission } from "#lib/submission/transmission";

const store = aStore();
afterAll(() => store.close());

const pdf = aReceivedFile(aPdf("order"), "application/pdf", "order.pdf");
const png = aReceivedFile(aPng(), "image/png");

test("a release of a revision with files is claimed, and carries exactly the frozen calls", async () => {
  const { reviewer, taskId, seen } = await aHeldTask(store, { routed: true, review: fullReview, files: [pdf, png] });
  expect((await releaseGate(reviewer, { taskId, seen })).ok).toBe(true);
  const claim = await claimTransmission(theWorker(store), { taskId });
  expect(claim).toMatchObject({ ok: true, value: { gateId: seen.gateId, attempt: 1 } });
});

test("a gate covers its files: the same review with another file has another digest, even by hand", async () => {
  const { channel, practiceId, taskId, seen } = await aHeldTask(store, { files: [pdf] });
  const amended = await sendMessage(channel, anIntake({ practiceId, taskId, files: [png], keepAttachments: [] }));
  if (!amended.ok) throw new Error("The amendment was refused.");
  expect(seenOn(amended.value).digest).not.toBe(seen.digest);
});

test("a release recalled and held again stands for the same files", async () => {
  const { channel, reviewer, taskId, seen } = await aHeldTask(store, { recallWindowS: 60, files: [pdf] });
  await releaseGate(reviewer, { taskId, seen });
  expect((await recallRelease(reviewer, { taskId, gateId: seen.gateId })).ok).toBe(true);
  const held = await getTask(channel, { taskId, historyLength: 0 });
  if (!held.ok) throw new Error("The task is not there.");
  expect(held.value.attachments).toEqual([
    { sha256: pdf.sha256, contentType: pdf.contentType, size: pdf.size, name: pdf.name, since: 1 },
  ]);
  expect((await releaseGate(reviewer, { taskId, seen: seenOn(held.value) })).ok).toBe(true);
});

test("a file added while a reviewer reads makes the release stale", async () => {
  const { channel, practiceId, reviewer, taskId, seen } = await aHeldTask(store, { files: [pdf] });
  await sendMessage(channel, anIntake({ practiceId, taskId, files: [png] }));
  const released = await releaseGate(reviewer, { taskId, seen });
  const after = `image/png, ${png.size} bytes`;
  const changes = [{ path: `/attachments/${png.sha256.slice(0, 12)}`, after }];
  expect(released).toMatchObject({ ok: false, refusal: { type: "changed", changes } });
});

test("a message that continues a task is done once, under any concurrency, and its twin with another file is refused", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { channel, practiceId, taskId } = await aHeldTask(store);
    const amend = (file: typeof pdf) =>
      sendMessage(channel, anIntake({ practiceId, taskId, messageId: "m-2", files: [file] }));
    const answers = await Promise.all(Array.from({ length: 12 }, () => amend(pdf)));
    expect(answers.map((answer) => answer.ok && answer.value.task.revision)).toEqual(answers.map(() => 2));
    expect(await store.prisma.revisionAttachment.count({ where: { taskId } })).toBe(1);
    expect(await amend(png)).toMatchObject({ ok: false, refusal: { issues: [{ path: "/message/messageId" }] } });
  }
});

test("a reviewer reads a file of any revision; whoever is no reviewer of the practice finds nothing", async () => {
  const { channel, practiceId, reviewer, taskId } = await aHeldTask(store, { files: [pdf] });
  await sendMessage(channel, anIntake({ practiceId, taskId, keepAttachments: [] }));
  const { sha256 } = pdf;
  const read = await readAttachment(reviewer, { taskId, sha256 });
  expect(read.ok && { ...read.value, bytes: Buffer.from(read.value.bytes) }).toEqual({
    ...pdf,
    since: 1,
    bytes: Buffer.from(pdf.bytes),
  });
  const nothing = { ok: false, refusal: { type: "not-found" } };
  const elsewhere = await aPractice(store);
  const strangers = [
    await aPerson(store, { practices: [elsewhere] }),
    await aPerson(store, { practices: [] }),
    await aPerson(store, { practices: [practiceId], roles: ["admin"] }),
  ];
  for (const stranger of strangers) expect(await readAttachment(stranger, { taskId, sha256 })).toEqual(nothing);
  const others = { sha256: png.sha256, nothing: "", upper: sha256.toUpperCase(), naughty: "' OR 1=1 --", nul: "\0" };
  for (const other of Object.values(others))
    expect(await readAttachment(reviewer, { taskId, sha256: other })).toEqual(nothing);
  expect(await readAttachment(reviewer, { taskId: "no-uuid", sha256 })).toEqual(nothing);
});

test("a reviewer is shown which files came and went since they last answered", async () => {
  const { channel, practiceId, reviewer, taskId, seen } = await aHeldTask(store, { files: [pdf] });
  await requestInformation(reviewer, { taskId, seen, question: "Is there an image?" });
  await sendMessage(channel, anIntake({ practiceId, taskId, files: [png], keepAttachments: [] }));
  const view = await reviewTask(reviewer, { taskId });
  expect(view).toMatchObject({
    ok: true,
    value: {
      attachments: [{ sha256: png.sha256, since: 2, isNew: true }],
      changes: {
        sinceRevision: 1,
        list: [
          { path: `/attachments/${png.sha256.slice(0, 12)}`, after: expect.stringContaining("image/png") },
          { path: `/attachments/${pdf.sha256.slice(0, 12)}`, before: expect.stringContaining("order.pdf") },
        ],
      },
    },
  });
});
