"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { environment, numeral, postedTexts, text, texts, yes } from "#components/form/form-schema";
import { warningTypes } from "#lib/gate/model/checks";
import type { PracticeDone } from "#lib/messages/admin/practice";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { providerRoles } from "#lib/practice/model/known-provider";
import { renamePractice } from "#lib/practice/rename-practice";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { putProvider, removeProvider } from "#lib/practice/set-providers";
import { setSsoOnly } from "#lib/practice/set-sso-only";
import { setTargets } from "#lib/practice/set-targets";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { resumePractice, suspendPractice } from "#lib/practice/suspend-practice";
import { completeRules } from "#lib/task/model/vote-rule";
import { practicePath } from "./paths.ts";

const practice = z.object({ practiceId: text });

export const rename = action(practice.extend({ name: text }), renamePractice, returning("renamed"));

const settings = practice.extend({
  recallWindowS: numeral,
  gateExpiryDays: numeral,
  environment,
  timeZone: text,
  npi: text,
  taxId: text,
});

export const setSettings = action(settings, changePracticeSettings, returning("settings"));

export const saveTargets = action(
  practice.extend({ urgentTargetH: numeral, standardTargetH: numeral }),
  setTargets,
  returning("targets"),
);

/** The boxes say which warnings take a reason; the others are only noted. */
const warnings = practice.extend({ reasoned: texts }).transform(({ practiceId, reasoned }) => ({
  practiceId,
  noted: warningTypes.filter((type) => !reasoned.includes(type)),
}));

export const setWarnings = action(warnings, setNotedWarnings, returning("warnings"));

const roles = texts.transform((ticked) => providerRoles.filter((role) => ticked.includes(role)));

export const addProvider = action(
  practice.extend({ npi: text, name: text, roles }),
  putProvider,
  returning("providers"),
);

export const dropProvider = action(practice.extend({ npi: text }), removeProvider, returning("providers"));

/** The fields of each rule have names of its action and risk. */
const voteRules = postedTexts.transform((posted) => ({
  practiceId: text.parse(posted.practiceId),
  rules: completeRules([]).map(({ action: act, risk }) => ({
    action: act,
    risk,
    votes: numeral.parse(posted[`${act}-${risk}-votes`]),
    stepUp: yes.parse(posted[`${act}-${risk}-step-up`]),
  })),
}));

export const setRules = action(voteRules, setVoteRules, returning("rules"));

const signIn = practice.extend({ ssoOnly: yes }).transform(({ practiceId, ssoOnly: on }) => ({ practiceId, on }));

export const saveSignIn = action(signIn, setSsoOnly, {
  done: (_, { practiceId, on }) => `${practicePath(practiceId)}?done=${on ? "sso" : "passwords"}`,
  refused: refusalMessage,
});

export const suspend = action(practice, suspendPractice, returning("suspended"));

export const resume = action(practice, resumePractice, returning("resumed"));

/** Goes back to the practice's page, which says that it was done. */
function returning(done: PracticeDone) {
  return {
    done: (_: unknown, { practiceId }: { readonly practiceId: string }) => `${practicePath(practiceId)}?done=${done}`,
    refused: refusalMessage,
  };
}
