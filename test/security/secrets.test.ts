import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { newLinkToken } from "#lib/person/password-link";
import { issueToken } from "#lib/channel/access-token";
import { createChannelKey } from "#lib/channel/channel-key";
import { newBrowserSecret } from "#lib/person/session/browser-secret";
import { makeChallenge } from "#lib/person/second-factor/passkey-challenge";
import { newTotpSecret } from "#lib/person/second-factor/totp";
import { newWebhookSecret } from "#lib/channel/webhook/model/signature";

const store = { keyPepper: createSecretKey(Buffer.alloc(32, 7)) };
const challenge = () => Buffer.from(makeChallenge(store, "browser:one"));
const client = { id: "client", generation: 1 };

/** How a secret is made, how many signs of which alphabet of it are by chance, or by a key that nobody has. */
const secrets: readonly (readonly [string, () => string, RegExp, number])[] = [
  ["a channel key", () => createChannelKey(store).key.split("_")[2] ?? "", /^[0-9A-Za-z]{43}$/, 43 * Math.log2(62)],
  ["an agent's token", () => issueToken(store, client, new Date()).split("_").at(-1) ?? "", /^[0-9a-f]{64}$/, 256],
  ["a ticket or a device's bits", newBrowserSecret, /^[\w-]{43}$/, 256],
  ["a challenge for a passkey", () => challenge().subarray(0, 16).toString("hex"), /^[0-9a-f]{32}$/, 128],
  ["a webhook's secret", newWebhookSecret, /^whsec_[\w+/]{43}=$/, 256],
  ["a link", () => newLinkToken().token, /^[\w-]{43}$/, 256],
  ["an app's secret", newTotpSecret, /^[A-Z2-7]{32}$/, 160],
];

test.each(secrets)("%s has 128 bits or more that nobody guesses", (what, make, form, bits) => {
  const made = Array.from({ length: 20 }, make);
  for (const one of made) expect(one).toMatch(form);
  expect(bits).toBeGreaterThanOrEqual(128);
  // A token says the same again within its second; everything else is another each time.
  if (what !== "an agent's token") expect(new Set(made).size).toBe(20);
});
