import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { intakeParams } from "#test/support/agents/edge";
import { aFilePart } from "#test/support/agents/files";
import { bodyBytesMax } from "#lib/platform/http/arrival";
import { messageBytesMax } from "#lib/task/model/message-length";
import { canonicalBytes } from "./canonical.ts";
import { messageIdCharsMax, noteCharsMax, partsMax, reasonCharsMax } from "#lib/a2a/admit/limits";
import { parseSend } from "./send-params.ts";
import { parseCancel, parseGet, prefetchTask } from "./task-params.ts";

const practiceId = "elm-street";
const intake = (over: Partial<Parameters<typeof intakeParams>[0]> = {}) => intakeParams({ practiceId, ...over });
const voiding = (data: object = {}, message: object = {}) =>
  intake({
    data: { skill: "prior_auth_void", taskId: "t-1", reason: "Cancelled.", serviceReview: undefined, ...data },
    message,
  });
const note = (text: unknown) => ({ kind: "text", text });
const issues = (params: unknown) => {
  const parsed = parseSend(params);
  return parsed.ok ? [] : parsed.refusal.map(({ path, problem }) => `${path} ${problem}`);
};
const data = "/message/parts/0/data";

describe("message/send is refused", () => {
  test("with a message over 1 MiB beside its files, which names what is no file's", () => {
    expect(messageBytesMax).toBeGreaterThanOrEqual(bodyBytesMax);
    const stray = { bytes: "x".repeat(messageBytesMax) };
    const [text, over] = ["RFC 8785", "in no part of kind file"];
    const parts = [{ ...note("hi"), file: stray }, note("hi"), { kind: "file", file: { bytes: "eA==" } }];
    expect(issues(intake({ parts }))).toEqual([expect.stringContaining("/message/parts/1/file/bytes is " + over)]);
    expect(issues(intake({ data: { note: stray } }))).toEqual([expect.stringMatching(`^/message must be .* ${text}`)]);
    expect(issues(intake({ parts: [aFilePart(Buffer.alloc(messageBytesMax, "x"))] }))).toEqual([]);
    expect(issues(intake({ parts: [{ ...note("hi"), file: { bytes: "x" } }] }))).toEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    ["without params", undefined, [" is required"]],
    ["with params in order", [], [" must be an object"]],
    ["without a message", {}, ["/message is required"]],
    ["with a message that is a string", { message: "x" }, ["/message must be an object"]],
    ["without a role", intake({ message: { role: undefined } }), ["/message/role is required"]],
    ["as the agent", intake({ message: { role: "agent" } }), ['/message/role must be "user"']],
    ["without parts", intake({ message: { parts: undefined } }), ["/message/parts is required"]],
    ["with no part", intake({ message: { parts: [] } }), ["/message/parts must have at least 1"]],
    [
      "with too many parts",
      intake({ parts: Array(partsMax).fill(note("x")) }),
      [`/message/parts must have at most ${partsMax}`],
    ],
    [
      "with a note alone",
      intake({ message: { parts: [note("x")] } }),
      ["/message/parts must hold exactly one data part"],
    ],
    [
      "with two data parts",
      intake({ parts: [{ kind: "data", data: {} }] }),
      ["/message/parts must hold exactly one data part"],
    ],
    [
      "with a part of no kind",
      intake({ parts: [{ text: "x" }] }),
      ['/message/parts/1/kind must be "data", "text" or "file"'],
    ],
    [
      "with a part of another kind",
      intake({ parts: [{ kind: "video" }] }),
      ['/message/parts/1/kind must be "data", "text" or "file"'],
    ],
    ["with a note that is no text", intake({ parts: [note(1)] }), ["/message/parts/1/text must be a string"]],
    [
      "with a note that is too long",
      intake({ parts: [note("x".repeat(noteCharsMax + 1))] }),
      [`/message/parts/1/text must be at most ${noteCharsMax} characters`],
    ],
    [
      "with data that is a list",
      intake({ message: { parts: [{ kind: "data", data: [] }] } }),
      [`${data} must be an object`],
    ],
    ["as another kind", intake({ message: { kind: "task" } }), ['/message/kind must be "message"']],
    ["with an empty message id", intake({ message: { messageId: "" } }), ["/message/messageId must not be empty"]],
    [
      "with a long message id",
      intake({ message: { messageId: "x".repeat(messageIdCharsMax + 1) } }),
      [`/message/messageId must be at most ${messageIdCharsMax} characters`],
    ],
    ["with a task id that is a number", intake({ message: { taskId: 1 } }), ["/message/taskId must be a string"]],
    [
      "with a context id that is null",
      intake({ message: { contextId: null } }),
      ["/message/contextId must be a string"],
    ],
    ["with metadata that is a list", intake({ message: { metadata: [] } }), ["/message/metadata must be an object"]],
    [
      "with half a message of history",
      intake({ params: { configuration: { historyLength: 0.5 } } }),
      ["/configuration/historyLength must be a whole number"],
    ],
    [
      "with less than no history",
      intake({ params: { configuration: { historyLength: -1 } } }),
      ["/configuration/historyLength must not be negative"],
    ],
    ["without a skill", intake({ data: { skill: undefined } }), [`${data}/skill is required`]],
    [
      "with an unknown skill",
      intake({ data: { skill: "prior_auth_release" } }),
      [`${data}/skill must be prior_auth_intake or prior_auth_void`],
    ],
    [
      "with a skill of every object",
      intake({ data: { skill: "constructor" } }),
      [`${data}/skill must be prior_auth_intake or prior_auth_void`],
    ],
    ["without a practice", intake({ data: { practiceId: undefined } }), [`${data}/practiceId is required`]],
    ["with an empty practice", intake({ data: { practiceId: "" } }), [`${data}/practiceId must not be empty`]],
    ["without a service review", intake({ data: { serviceReview: undefined } }), [`${data}/serviceReview is required`]],
    [
      "without payer and procedures",
      intake({ review: {} }),
      [`${data}/serviceReview/payer is required`, `${data}/serviceReview/procedures is required`],
    ],
    [
      "with two tasks",
      intake({ data: { taskId: "t-2" }, message: { taskId: "t-1" } }),
      [`${data}/taskId is not the message's taskId`],
    ],
    ["with a task in the data that is no string", intake({ data: { taskId: 7 } }), [`${data}/taskId must be a string`]],
    ["as a void without its task", voiding({ taskId: undefined }), [`${data}/taskId is required`]],
    ["as a void without a reason", voiding({ reason: undefined }), [`${data}/reason is required`]],
    ["as a void with a blank reason", voiding({ reason: " \n" }), [`${data}/reason must not be blank`]],
    [
      "as a void with a long reason",
      voiding({ reason: "x".repeat(reasonCharsMax + 1) }),
      [`${data}/reason must be at most ${reasonCharsMax} characters`],
    ],
    ["as a void without a practice", voiding({ practiceId: undefined }), [`${data}/practiceId is required`]],
  ])("%s", (_, params, expected) => {
    expect(issues(params)).toEqual(expected);
  });

  test("with the pointer of every wrong field of the review", () => {
    const review = {
      payer: { id: "60054" },
      procedures: [{ code: "72148", quantity: "1" }, { code: "" }],
      diagnoses: [{ code: "broken" }],
      requestingProvider: { npi: "1234567890" },
      fromDate: "2027-02-30",
    };
    expect(issues(intake({ review })).sort()).toEqual([
      `${data}/serviceReview/diagnoses/0/code must be an ICD-10-CM code such as M54.16`,
      `${data}/serviceReview/fromDate must be a calendar date YYYY-MM-DD from 1900 to 2199`,
      `${data}/serviceReview/procedures/0/quantity must be a number`,
      `${data}/serviceReview/procedures/1/code must not be empty`,
      `${data}/serviceReview/requestingProvider/npi must be a 10-digit NPI with a valid check digit`,
    ]);
  });

  test("with what would be right, where a part is no object and an attestation is neither", () => {
    expect(issues({ message: { role: "user", parts: ["text"] } })).toContain("/message/parts/0 must be an object");
    expect(issues(intake({ review: { urgentAttestation: 5 } }))).toContain(
      `${data}/serviceReview/urgentAttestation must be true, false or a text`,
    );
  });

  test("without ever repeating what was sent", () => {
    const secret = "Okafor";
    const bad = {
      payer: { id: secret.repeat(20) },
      procedures: secret,
      patient: { birthDate: secret, genderCode: secret },
      subscriber: { memberId: `${secret} ${secret}` },
    };
    expect(JSON.stringify(issues(intake({ review: bad, message: { role: secret, kind: secret } })))).not.toContain(
      secret,
    );
    expect(JSON.stringify(issues(intake({ review: bad })))).not.toContain(secret);
  });
});

describe("message/send is accepted", () => {
  const understood = (params: unknown) => {
    const parsed = parseSend(params);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal));
    return parsed.value;
  };

  test("in the form of the interface document, and with everything that A2A clients add", () => {
    const sent = understood(
      intake({
        message: {
          kind: "message",
          messageId: "m",
          contextId: "c",
          metadata: { a: 1 },
          extensions: [],
          referenceTaskIds: ["x"],
          more: null,
        },
        parts: [note("")],
        params: {
          configuration: { blocking: null, acceptedOutputModes: ["text"], historyLength: 3 },
          metadata: null,
          more: 1,
        },
      }),
    );
    expect(sent).toMatchObject({
      messageId: "m",
      contextId: "c",
      historyLength: 3,
      dataPath: data,
      ask: { skill: "prior_auth_intake", practiceId },
    });
  });

  test("with the data part at any place", () => {
    const { message } = intake() as { message: { parts: object[] } };
    expect(understood({ message: { ...message, parts: [note("x"), ...message.parts] } }).dataPath).toBe(
      "/message/parts/1/data",
    );
  });

  test("with the task named in the message, in the data or in both", () => {
    expect(understood(intake({ message: { taskId: "t" } })).taskId).toBe("t");
    expect(understood(intake({ data: { taskId: "t" } })).taskId).toBe("t");
    expect(understood(intake({ data: { taskId: "t" }, message: { taskId: "t" } })).taskId).toBe("t");
    expect(understood(voiding({ taskId: undefined }, { taskId: "t" })).ask).toMatchObject({
      skill: "prior_auth_void",
      taskId: "t",
    });
  });

  test("with bytes and digests of exactly the sent message, whatever the order of its members", () => {
    const review = {
      zebra: [1, { b: null, a: "ü" }],
      procedures: [{ more: true, code: "72148" }],
      payer: { id: "60054" },
    };
    const sent = understood(intake({ review }));
    const bytes = sent.ask.skill === "prior_auth_intake" ? sent.ask.reviewBytes : new Uint8Array();
    const text = '{"payer":{"id":"60054"},"procedures":[{"code":"72148","more":true}],"zebra":[1,{"a":"ü","b":null}]}';
    expect(Buffer.from(bytes).toString()).toBe(text);
    expect(sent.contentDigest).toBe(createHash("sha256").update(sent.body).digest("hex"));
    const reordered = { payer: { id: "60054" }, procedures: [{ code: "72148", more: true }], zebra: review.zebra };
    expect(understood(intake({ review: reordered })).contentDigest).toBe(sent.contentDigest);
  });
});

test("canonical bytes are the same for equal values and read back equal", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      if (/\\ud[89a-f]|__proto__/i.test(text)) return;
      const bytes = canonicalBytes(JSON.parse(text));
      expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(JSON.parse(text));
    }),
  );
});

describe("tasks/get and tasks/cancel", () => {
  test.each([parseGet, parseCancel])("need an id that is a string", (parse) => {
    expect(parse(undefined)).toMatchObject({ ok: false, refusal: [{ path: "", problem: "is required" }] });
    expect(parse([])).toMatchObject({ ok: false, refusal: [{ path: "", problem: "must be an object" }] });
    expect(parse({})).toMatchObject({ ok: false, refusal: [{ path: "/id", problem: "is required" }] });
    expect(parse({ id: 7 })).toMatchObject({ ok: false, refusal: [{ path: "/id", problem: "must be a string" }] });
    expect(parse({ id: "", more: 1, metadata: {} })).toMatchObject({ ok: true, value: { taskId: "" } });
  });

  test("get includes history only when asked for it", () => {
    expect(parseGet({ id: "x" })).toEqual({ ok: true, value: { taskId: "x", historyLength: 0 } });
    expect(parseGet({ id: "x", historyLength: 2 })).toEqual({ ok: true, value: { taskId: "x", historyLength: 2 } });
    expect(parseGet({ id: "x", historyLength: "2" })).toMatchObject({
      ok: false,
      refusal: [{ path: "/historyLength" }],
    });
    expect(parseGet({ id: "x", historyLength: 1e21 })).toMatchObject({ ok: false });
  });

  test("only a UUID is prefetched", () => {
    expect(prefetchTask({ id: "0198a7c2-0000-7000-8000-000000000000" })).toEqual({
      taskId: "0198a7c2-0000-7000-8000-000000000000",
    });
    for (const params of [undefined, null, [], { id: "x" }, { id: 1 }, { id: "0198a7c2-0000-7000-8000-00000000000\n" }])
      expect(prefetchTask(params)).toBeUndefined();
  });
});
