import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileBytesMax, filesBytesMax, filesPerMessageMax } from "#lib/task/model/attachment";
import { aFilePart, aPdf, aPng } from "#test/support/agents/files";
import { intakeParams } from "#test/support/agents/edge";
import { bodyBytesMax } from "#lib/platform/http/arrival";
import { bodyWithFilesBytesMax, bodyWithFilesMs } from "#lib/a2a/admit/limits";
import { parseSend } from "./send-params.ts";

const practiceId = "elm-street";
const pdf = aPdf("hello");
const intake = (...parts: object[]) => intakeParams({ practiceId, parts });
const part = (file: object) => ({ kind: "file", file });
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const issues = (params: unknown) => {
  const parsed = parseSend(params);
  return parsed.ok ? [] : parsed.refusal.map(({ path, problem }) => `${path} ${problem}`);
};
const understood = (params: unknown) => {
  const parsed = parseSend(params);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal));
  return parsed.value;
};
const filesOf = (params: unknown) => {
  const { ask } = understood(params);
  return ask.skill === "prior_auth_intake" ? ask.files : [];
};

describe("a file is refused", () => {
  const file = "/message/parts/1/file";
  const strict = `${file}/bytes must be base64 with padding and without line breaks`;
  test.each<[string, object, string[]]>([
    ["that is nowhere", { kind: "file" }, [`${file} is required`]],
    ["without bytes", part({ name: "a.pdf" }), [`${file}/bytes is required`]],
    ["with bytes that are a list", part({ bytes: [1] }), [`${file}/bytes must be a string`]],
    [
      "that lies elsewhere",
      part({ uri: "https://files.example/a.pdf" }),
      [`${file}/bytes is required`, `${file}/uri is never fetched: send the bytes in base64`],
    ],
    [
      "with both bytes and a URI",
      part({ bytes: base64(pdf), uri: "x" }),
      [`${file}/uri is never fetched: send the bytes in base64`],
    ],
    ["that is empty", part({ bytes: "" }), [`${file}/bytes is empty`]],
    ["without padding", part({ bytes: base64(Buffer.from("ab")).slice(0, -1) }), [strict]],
    ["with a line break", part({ bytes: `${base64(pdf).slice(0, 76)}\n${base64(pdf).slice(76)}` }), [strict]],
    ["in base64url", part({ bytes: base64(Buffer.from([0xfb, 0xff, 0xfe])).replaceAll("+", "-") }), [strict]],
    ["with bits too many", part({ bytes: "YWJ=" }), [strict]],
    ["as a data URL", part({ bytes: `data:application/pdf;base64,${base64(pdf)}` }), [strict]],
    [
      "of another kind than it says",
      part({ bytes: base64(pdf), mimeType: "image/png" }),
      [`${file}/mimeType is not what the bytes are, which is application/pdf`],
    ],
    [
      "of no kind a payer takes",
      part({ bytes: base64(Buffer.from("GIF89a\0\0")) }),
      [`${file}/bytes isn't a PDF, PNG, JPEG, TIFF, XML or UTF-8 text`],
    ],
    [
      "with a long name",
      part({ bytes: base64(pdf), name: "x".repeat(256) }),
      [`${file}/name must be at most 255 characters`],
    ],
    ["with a name that is a number", part({ bytes: base64(pdf), name: 7 }), [`${file}/name must be a string`]],
    [
      "that is too large",
      part({ bytes: base64(Buffer.alloc(fileBytesMax + 1, "a")) }),
      [`${file}/bytes must be at most ${fileBytesMax} bytes`],
    ],
  ])("%s", (_, given, expected) => {
    expect(issues(intake(given))).toEqual(expected);
  });

  test("and every other bad file of the message as well, each by its own path", () => {
    const bad = part({ bytes: "!" });
    expect(issues(intake(bad, aFilePart(pdf), bad))).toEqual([1, 3].map((at) => strict.replace("/1/", `/${at}/`)));
  });

  test("when there are too many files or too many bytes in all", () => {
    const many = Array.from({ length: filesPerMessageMax + 1 }, () => aFilePart(pdf));
    expect(issues(intake(...many))).toEqual([`/message/parts must have at most ${filesPerMessageMax} files`]);
    const large = ["a", "b", "c"].map((fill) => aFilePart(Buffer.alloc(fileBytesMax, fill)));
    expect(issues(intake(...large))).toEqual([
      `/message/parts must have at most ${filesBytesMax} bytes of files in all`,
    ]);
  });

  test("with a void", () => {
    const data = { skill: "prior_auth_void", taskId: "t", reason: "Cancelled.", serviceReview: undefined };
    expect(issues(intakeParams({ practiceId, data, parts: [aFilePart(pdf)] }))).toEqual([
      "/message/parts/1 goes with no void",
    ]);
  });

  test("without ever repeating what was sent", () => {
    const secret = "Okafor";
    const given = part({ bytes: secret, mimeType: secret, name: secret.repeat(50) });
    expect(JSON.stringify(issues(intake(given)))).not.toContain(secret);
  });
});

test.each([[["x"]], [["AB".repeat(32)]], [["ab".repeat(31)]], ["ab"]])("keepAttachments %j is refused", (keep) => {
  const [issue] = issues(intakeParams({ practiceId, data: { keepAttachments: keep } }));
  expect(issue).toMatch(/^\/message\/parts\/0\/data\/keepAttachments/);
});

describe("a file is accepted", () => {
  test("with the type and digest of its bytes, whatever its name", () => {
    const [file] = filesOf(
      intake(aFilePart(pdf, { name: "../../x\u202efdp.pdf", mimeType: "application/octet-stream" })),
    );
    expect(file).toEqual({
      sha256: createHash("sha256").update(pdf).digest("hex"),
      contentType: "application/pdf",
      size: pdf.length,
      name: "xfdp.pdf",
      bytes: Buffer.from(pdf),
    });
  });

  test("once, under its first name, when the same bytes are sent twice", () => {
    const files = filesOf(
      intake(aFilePart(pdf, { name: "a.pdf" }), aFilePart(aPng()), aFilePart(pdf, { name: "b.pdf" })),
    );
    expect(files.map(({ name, contentType }) => [name, contentType])).toEqual([
      ["a.pdf", "application/pdf"],
      [undefined, "image/png"],
    ]);
  });

  test("with any bytes, and two different files never give the same message", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (one, other) => {
        const text = (value: string) => Buffer.from(`note ${value.replaceAll(/\p{Cc}/gu, "")}`);
        const digests = [text(one), text(other)].map((bytes) => understood(intake(aFilePart(bytes))).contentDigest);
        expect(digests[0] === digests[1]).toBe(text(one).equals(text(other)));
        expect(filesOf(intake(aFilePart(text(one))))[0]?.bytes).toEqual(text(one));
      }),
    );
  });

  test("and its bytes are not in the stored message", () => {
    const sent = understood(intake(aFilePart(pdf, { name: "a.pdf", more: 1 })));
    const kept = JSON.parse(Buffer.from(sent.body).toString()) as { parts: unknown[] };
    const sha256 = createHash("sha256").update(pdf).digest("hex");
    expect(kept.parts[1]).toEqual({
      kind: "file",
      file: { bytes: { sha256, size: pdf.length }, name: "a.pdf", more: 1 },
    });
  });
});

test("the longest body has room for the largest files, and the server waits long enough for it", () => {
  expect(bodyWithFilesBytesMax).toBeGreaterThanOrEqual(Math.ceil(filesBytesMax / 3) * 4 + bodyBytesMax);
  expect(filesBytesMax).toBeLessThanOrEqual(filesPerMessageMax * fileBytesMax);
  expect(bodyWithFilesMs).toBeLessThan(30_000);
});
