"use server";

import { z } from "zod";
import type { ActAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { givenText, postedTexts, text, texts, yes } from "#components/form/form-schema";
import type { PracticeDone } from "#lib/messages/admin/practice";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { isConnector, settingFields } from "#lib/practice/route-settings";
import { setLineOfBusiness } from "#lib/practice/set-line-of-business";
import { setRoute } from "#lib/practice/set-route";
import { testRoute } from "#lib/practice/test-route";
import { routePath } from "./paths.ts";

const route = z.object({ practiceId: text, payerId: text });

export const setLine = action(route.extend({ lineOfBusiness: text }), setLineOfBusiness, returning("line"));

export const tryRoute = action(route, testRoute, returning("tested"));

const environments = ["live", "test"] as const;

const routeFields = z.object({
  practiceId: text,
  payerId: text.transform((typed) => typed.trim()),
  payerName: givenText,
  connector: text,
  url: givenText,
  environment: text.transform((typed) => environments.find((known) => known === typed)),
  lineOfBusiness: givenText,
  requiredFields: texts,
  credential: text,
  removeCredential: yes,
});

/** An empty credential keeps the one there is, unless it is to be removed. */
const savedRoute = postedTexts.transform((posted) => {
  const { credential, removeCredential, ...rest } = routeFields.parse(posted);
  return {
    ...rest,
    ...(credential === "" ? { keepCredential: !removeCredential } : { credential }),
    settings: settingsIn(posted, rest.connector),
  };
});

export const saveRoute = action(savedRoute, setRoute, {
  ...returning("route"),
  refused: (refusal, { connector }) => {
    const { alert, problems } = refusalMessage(refusal);
    return { alert, problems: atFields(problems, connector) };
  },
  secrets: ["credential"],
});

/** What was typed into the fields of this connector; an empty one chooses nothing. */
function settingsIn(posted: z.infer<typeof postedTexts>, connector: string): Readonly<Record<string, string>> {
  const fields = isConnector(connector) ? settingFields[connector] : [];
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const typed = givenText.parse(posted[`${connector}.${name}`]);
      return typed === undefined ? [] : [[name, typed]];
    }),
  );
}

/** What is wrong with a setting stands at its own field. */
function atFields(problems: ActAnswer["problems"], connector: string): ActAnswer["problems"] {
  return Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [field.replace(/^settings\./, `${connector}.`), problem]),
  );
}

/** Goes to the route's page, which says that it was done. */
function returning(done: PracticeDone) {
  return {
    done: (_: unknown, { practiceId, payerId }: z.infer<typeof route>) =>
      `${routePath(practiceId, payerId.trim())}&done=${done}`,
    refused: refusalMessage,
  };
}
