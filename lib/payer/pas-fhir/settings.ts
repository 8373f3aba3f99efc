import { z } from "zod";
import {
  choice,
  resendSetting,
  scopeSetting,
  settingsOf,
  systemSetting,
  tokenUrlSetting,
  wordSetting,
} from "#lib/payer/settings";
import { settingProblems } from "#lib/messages/problems/admin";

const schema = z
  .strictObject({
    /** The release of the guide the payer speaks. */
    version: choice(["2.2.1", "2.0.1"]).default("2.2.1"),
    /** How we prove who we are: a fixed bearer credential, or SMART Backend Services with a signed assertion. */
    auth: choice(["bearer", "smart"]).default("bearer"),
    /** The token endpoint; left out, the payer's .well-known/smart-configuration names it, at the payer's own host. */
    tokenUrl: tokenUrlSetting.optional(),
    clientId: wordSetting.optional(),
    /** The `kid` under which the payer knows our public key. */
    keyId: wordSetting.optional(),
    scope: scopeSetting.optional(),
    /** Whether the payer knows a Bundle.identifier again and answers it as the same request. */
    resend: resendSetting,
    /**
     * How we hear of a decision later: by asking alone, or by the payer's notifications as well, always or where the
     * payer offers them. Left out, as in connections of earlier releases, it is by asking alone.
     */
    subscription: choice(["none", "rest-hook", "offered"]).default("none"),
    /**
     * The identifier by which the payer knows the sending system, such as an NPI. Every Claim names it, and the
     * subscription asks for the cases of this sender.
     */
    senderId: wordSetting.optional(),
    /** How the subscription's filter is called: the guide's topic and example have one name, its text the other. */
    subscriptionFilter: choice(["orgIdentifier", "org-identifier"]).default("orgIdentifier"),
    /** The identifier system of member ids, which each payer assigns; left out, one under the payer's address is used. */
    memberIdSystem: systemSetting.optional(),
    /** The same of the payer's own id. */
    payerIdSystem: systemSetting.optional(),
  })
  .superRefine((settings, issues) => {
    if (settings.auth === "smart" && settings.clientId === undefined)
      issues.addIssue({ code: "custom", path: ["clientId"], message: settingProblems.requiredForSmart });
    if (settings.subscription === "rest-hook" && settings.senderId === undefined)
      issues.addIssue({ code: "custom", path: ["senderId"], message: settingProblems.requiredForNotifications });
  });

/** What a route may choose, what is wrong with its settings by their names, and how those that were let through are read. */
export const { settings, checkSettings, readSettings } = settingsOf(schema);

/** The releases of the guide this connector speaks. */
export type PasVersion = z.infer<typeof schema>["version"];
