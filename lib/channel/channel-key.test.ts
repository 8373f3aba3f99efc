import { createSecretKey } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { channelKeyPattern, createChannelKey, readChannelKey } from "./channel-key.ts";

const store = { keyPepper: createSecretKey(Buffer.alloc(32, 1)) };
const other = { keyPepper: createSecretKey(Buffer.alloc(32, 2)) };

describe("a channel key", () => {
  test("is found by the published expression in any text, and has no character that breaks a word", () => {
    for (let made = 0; made < 200; made += 1) {
      const { id, key, lastFour } = createChannelKey(store);
      expect(channelKeyPattern.exec(`Authorization: Bearer ${key}\n`)?.[0]).toBe(key);
      expect(channelKeyPattern.exec(`{"key":"${key}"}`)?.[0]).toBe(key);
      expect(key.split("_")).toEqual(["pa", id, expect.stringMatching(/^.{43}$/), expect.stringMatching(/^.{6}$/)]);
      expect(key.endsWith(lastFour)).toBe(true);
    }
  });

  test("ends in the CRC-32 of what is before it, in base 62", () => {
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const { key } = createChannelKey(store);
    const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -7)));
  });

  test("is read as its stored hash, with the pepper it was created with", () => {
    const { id, key, secretHash } = createChannelKey(store);
    expect(readChannelKey(store, key)).toEqual({ id, secretHash });
    expect(readChannelKey(other, key)?.secretHash).not.toEqual(secretHash);
  });

  test("is invalid with any one character changed, which costs no query", () => {
    const { key } = createChannelKey(store);
    for (let at = 3; at < key.length; at += 1) {
      const changed = key.slice(0, at) + (key[at] === "a" ? "b" : "a") + key.slice(at + 1);
      expect(readChannelKey(store, changed), changed).toBeUndefined();
    }
  });

  const ofBefore = `pa_${"a".repeat(10)}_${"a".repeat(43)}`;
  test.each(["", "pa_short_key", "pa", `pa_${"a".repeat(10)}_${"a".repeat(42)}`, ofBefore])("%j is none", (text) => {
    expect(readChannelKey(store, text)).toBeUndefined();
  });

  test("is neither created nor recognized without a pepper", () => {
    expect(() => createChannelKey({ keyPepper: undefined })).toThrow("CHANNEL_KEY_PEPPER");
  });
});
