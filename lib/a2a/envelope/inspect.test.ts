import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inspect } from "./inspect.ts";
import { issuesMax, nestingLevelsMax } from "#lib/a2a/admit/limits";
import { pathCharsMax } from "#lib/task/model/short-path";
import { readEnvelope, readJson } from "./read-envelope.ts";

const found = (text: string) => inspect(text).map(({ what, path }) => `${what} ${path}`);

describe("inspecting a JSON text", () => {
  test.each([
    ['{"a":1.0,"b":[true,null,"x"],"c":{}}', []],
    ['{"a":[1,{"b":9007199254740993}]}', ["inexact /a/1/b"]],
    ['{"a":1e999}', ["inexact /a"]],
    ['{"a/b":{"~":-0}}', ["inexact /a~1b/~0"]],
    ['{"a":1,"a":2}', ["twice /a"]],
    ['{"a":1,"\\u0061":2}', ["twice /a"]],
    ['[{"a":1},{"a":2}]', []],
    ['{"x":{"a":1},"y":{"a":[1,2],"b":1,"a":3}}', ["twice /y/a"]],
    ['{"__proto__":1}', ["name /__proto__"]],
    ['{"\\u005f_proto__":{}}', ["name /__proto__"]],
    ['{"a":"__proto__"}', []],
    ['{"a":"\\u0000"}', ["nul /a"]],
    ['{"\\u0000":1}', ["nul /\0"]],
    ['{"a":"\\\\u0000"}', []],
    ['{"a":"\\"\\\\","b":"\\ud800"}', ["surrogate /b"]],
    ['{"a":["\\udc00\\ud800"]}', ["surrogate /a/0"]],
    ['{"a":"\\ud83d\\ude00"}', []],
    ['{"a":"]}[{,:1e999"}', []],
    ['{"a":"-0","b":"9007199254740993"}', []],
    [' \n{\t"a" :\r[ 1e999 , 2 ]}', ["inexact /a/0"]],
    ["", []],
  ])("%s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test("stops at the limit of nesting, at any depth, without recursion", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(found(nested(nestingLevelsMax))).toEqual([]);
    expect(found(nested(nestingLevelsMax + 1))).toEqual([`deep ${"/0".repeat(nestingLevelsMax)}`]);
    expect(found(nested(500_000))).toHaveLength(1);
  });

  test("lists at most so many findings", () => {
    expect(found(`[${Array(1000).fill("1e999").join(",")}]`)).toHaveLength(issuesMax);
  });

  test("repeats only the beginning of a long name, and says that it is cut", () => {
    const [finding] = inspect(`{"${"a".repeat(1_000_000)}":{"b":1e999}}`);
    expect(finding).toMatchObject({ path: `/${"a".repeat(pathCharsMax - 1)}…`, depth: 2 });
  });

  test.each(["~", "\\u0001", "漢"])("makes an error of at most 64 KiB of a long name of %s", (char) => {
    const name = char.repeat(1_040_000 / Buffer.byteLength(char));
    const twice = Array.from({ length: 40 }, () => '"a":0').join(",");
    const text = `{"jsonrpc":"2.0","method":"message/send","params":{"${name}":{${twice}}}}`;
    const json = readJson({ bytes: Buffer.from(text), releaseBody: () => undefined });
    const answer = "fault" in json ? json : readEnvelope(json);
    expect(answer).toMatchObject({ fault: "invalid-params", data: { issues: { length: issuesMax } } });
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(64 * 1024);
  });

  test("tells a name that is twice at the root from one that is twice below a long name", () => {
    const within = `"params":{"${"a".repeat(1_000)}":{"b":0,"b":0}}`;
    const read = (text: string) => readJson({ bytes: Buffer.from(text), releaseBody: () => undefined });
    const faultOf = (members: string) => {
      const json = read(`{"jsonrpc":"2.0","id":"1","method":"tasks/get",${members}}`);
      return "fault" in json ? json.fault : (readEnvelope(json) as { fault?: string }).fault;
    };
    expect(faultOf(within)).toBeUndefined();
    expect(faultOf(`"${"a".repeat(1_000)}":0,"${"a".repeat(1_000)}":0`)).toBe("not-a-request");
  });

  test("takes linear time for quotes and backslashes", () => {
    expect(found(JSON.stringify(["\\".repeat(500_000), '"'.repeat(500_000), '\\"'.repeat(250_000)]))).toEqual([]);
  });

  test("finds nothing in JSON that JavaScript keeps exactly", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        const hostile = /\\u0000|\\ud[89a-f]|__proto__|-0(?![.\d])/i.test(text);
        if (!hostile) expect(found(text)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("finds an inexact number at any place", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.array(fc.oneof(fc.constant(0), fc.string({ unit: "grapheme-ascii" })), { maxLength: 6 }),
        (beside, path) => {
          const text = path.reduceRight<string>(
            (inner, step) =>
              step === 0 ? `[${inner},${JSON.stringify(beside)}]` : `{${JSON.stringify(step)}:${inner}}`,
            "1e999",
          );
          const refusedName = path.findIndex((step) => step === "__proto__");
          expect(found(text)[0]).toBe(
            refusedName < 0 ? `inexact ${pathOf(path)}` : `name ${pathOf(path.slice(0, refusedName + 1))}`,
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

function pathOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
