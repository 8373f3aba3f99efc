import { z } from "zod";
import { scopeSetting, settingsOf, tokenUrlSetting, wordSetting } from "#lib/payer/settings";

const schema = z.strictObject({
  /** Where the client credentials are exchanged for a token. */
  tokenUrl: tokenUrlSetting,
  /** The product and the plan the token is for. */
  scope: scopeSetting,
  /** The client secret is the route's credential. */
  clientId: wordSetting,
});

/** What a route may choose, what is wrong with its settings by their names, and how those that were let through are read. */
export const { settings, checkSettings, readSettings } = settingsOf(schema);
