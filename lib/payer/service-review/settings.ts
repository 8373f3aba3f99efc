import { z } from "zod";
import { certificateSetting } from "#lib/payer/client-certificate";
import { choice, scopeSetting, settingsOf, tokenUrlSetting, wordSetting } from "#lib/payer/settings";

const schema = z.strictObject({
  /** Where the client credentials are exchanged for a token. */
  tokenUrl: tokenUrlSetting,
  /** The product and the plan the token is for. */
  scope: scopeSetting,
  /** The client secret is the route's credential, or a part of it where there is a certificate. */
  clientId: wordSetting,
  /** How the token endpoint takes them (RFC 6749, 2.3.1): in the form, as the vendor's guide has it, or in the header. */
  tokenAuth: choice(["client_secret_post", "client_secret_basic"]).default("client_secret_post"),
  /** For a clearinghouse that asks for a certificate of ours on each connection (mutual TLS). */
  clientCertificate: certificateSetting.optional(),
});

/** What a route may choose, what is wrong with its settings by their names, and how those that were let through are read. */
export const { settings, checkSettings, readSettings } = settingsOf(schema);
