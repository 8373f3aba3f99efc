"use server";

import { z } from "zod";
import type { ActAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { givenText, postedTexts, text, texts, yes } from "#components/form/form-schema";
import { refusalMessage } from "#lib/messages/admin/refusals";
import {
  activateRouteDraft,
  beginRouteDraft,
  discardRouteDraft,
  setDraftAccess,
  testRouteDraft,
} from "#lib/practice/draft/route-draft";
import { isConnector, settingFields } from "#lib/practice/route-settings";
import { draftPath, practicePath, routePath } from "../paths.ts";

const environments = ["live", "test"] as const;

const payer = z.object({
  practiceId: text,
  draftId: givenText,
  payerId: text.transform((typed) => typed.trim()),
  payerName: givenText,
  connector: text,
  environment: text.transform((typed) => environments.find((known) => known === typed)),
  lineOfBusiness: givenText,
});

export const beginConnection = action(payer, beginRouteDraft, {
  done: ({ draftId }, { practiceId }) => draftPath(practiceId, draftId, "access"),
  refused: refusalMessage,
});

const draft = z.object({ practiceId: text, draftId: text });

const accessFields = draft.extend({
  connector: text,
  url: givenText,
  requiredFields: texts,
  credential: text.transform((typed) => (typed === "" ? undefined : typed)),
  removeCredential: yes,
});

const access = postedTexts.transform((posted) => {
  const { connector, ...rest } = accessFields.parse(posted);
  return { ...rest, settings: settingsIn(posted, connector) };
});

export const saveAccess = action(access, setDraftAccess, {
  done: ({ connector }, { practiceId, draftId }) =>
    draftPath(practiceId, draftId, connector === "manual" ? "activate" : "test"),
  refused: (refusal) => {
    const { alert, problems } = refusalMessage(refusal);
    return { alert, problems: atFields(problems) };
  },
  secrets: ["credential"],
});

/** What was typed into the fields of this connector; an empty one chooses nothing. */
function settingsIn(posted: z.infer<typeof postedTexts>, connector: string): Readonly<Record<string, string>> {
  const fields = isConnector(connector) ? settingFields[connector] : [];
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const typed = givenText.parse(posted[`setting.${name}`]);
      return typed === undefined ? [] : [[name, typed]];
    }),
  );
}

/** What is wrong with a setting stands at its own field. */
function atFields(problems: ActAnswer["problems"]): ActAnswer["problems"] {
  return Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [field.replace(/^settings\./, "setting."), problem]),
  );
}

export const testConnection = action(draft, testRouteDraft, {
  done: (_, { practiceId, draftId }) => draftPath(practiceId, draftId, "test"),
  refused: refusalMessage,
});

export const activateConnection = action(draft.extend({ untested: yes }), activateRouteDraft, {
  done: ({ payerId }, { practiceId }) => `${routePath(practiceId, payerId)}&done=route`,
  refused: refusalMessage,
});

export const discardConnection = action(draft, discardRouteDraft, {
  done: (_, { practiceId }) => `${practicePath(practiceId, "connections")}?done=discarded`,
  refused: refusalMessage,
});
