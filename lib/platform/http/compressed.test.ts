import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compressed, plainReplyBytesMax } from "./compressed.ts";

const long = { status: 200, headers: { "x-request-id": "r" }, body: "é".repeat(plainReplyBytesMax) };

describe("a long reply is compressed for a caller", () => {
  test.each(["gzip", "gzip, deflate", "br;q=1.0, gzip;q=0.8", "x-gzip", "GZIP ; q=0.001"])(
    "that accepts %s",
    async (accepted) => {
      const { headers, body } = await compressed(long, accepted);
      expect(headers).toEqual({ "x-request-id": "r", "content-encoding": "gzip" });
      expect(gunzipSync(body).toString()).toBe(long.body);
      expect(body.length).toBeLessThan(100);
    },
  );

  test.each([undefined, "", "identity", "br, deflate", "gzip;q=0", "gzip; q=0.000", "gzipped", "*"])(
    "and for none that accepts %s",
    async (accepted) => {
      expect(await compressed(long, accepted)).toBe(long);
    },
  );
});

test("a reply that is not long stays as it is", async () => {
  const reply = { ...long, body: "x".repeat(plainReplyBytesMax) };
  expect(await compressed(reply, "gzip")).toBe(reply);
});
