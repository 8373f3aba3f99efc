"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { environment, givenText, numeral, postedTexts, text, texts, yes } from "#components/form/form-schema";
import { warningTypes } from "#lib/gate/model/checks";
import type { PracticeDone } from "#lib/messages/admin/practice";
import { refusalMessage, settingsMessage } from "#lib/messages/admin/refusals";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { providerRoles } from "#lib/practice/model/known-provider";
import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { putProvider, removeProvider } from "#lib/practice/set-providers";
import { setAutoReview } from "#lib/practice/set-auto-review";
import { setSecondAdmin } from "#lib/practice/set-second-admin";
import { setSecondFactor } from "#lib/practice/set-second-factor";
import { setSsoOnly } from "#lib/practice/set-sso-only";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { resumePractice, suspendPractice } from "#lib/practice/suspend-practice";
import { completeRules } from "#lib/task/model/vote-rule";
import { practicePath, type PracticeTab } from "./paths.ts";

const practice = z.object({ practiceId: text });

/** Settings that others may have changed since the page showed them, which the form names with them. */
const settings = practice.extend({ seen: givenText });

const identity = settings.extend({ name: text, timeZone: text, npi: text, taxId: text, environment });

export const saveIdentity = action(identity, changePracticeSettings, savedFrom("settings"));

const timing = settings.extend({
  recallWindowS: numeral,
  gateExpiryDays: numeral,
  urgentTargetH: numeral,
  standardTargetH: numeral,
});

export const saveTiming = action(timing, changePracticeSettings, savedFrom("timing", "rules"));

/** The boxes say which warnings take a reason; the others are only noted. */
const warnings = settings.extend({ reasoned: texts }).transform(({ reasoned, ...rest }) => ({
  ...rest,
  noted: warningTypes.filter((type) => !reasoned.includes(type)),
}));

export const setWarnings = action(warnings, setNotedWarnings, savedFrom("warnings", "rules"));

const roles = texts.transform((ticked) => providerRoles.filter((role) => ticked.includes(role)));

export const addProvider = action(
  practice.extend({ npi: text, name: text, roles }),
  putProvider,
  returning("providers", "providers"),
);

export const dropProvider = action(practice.extend({ npi: text }), removeProvider, returning("providers", "providers"));

/** The fields of each rule have names of its action and risk. */
const voteRules = postedTexts.transform((posted) => ({
  ...settings.parse(posted),
  rules: completeRules([]).map(({ action: act, risk }) => ({
    action: act,
    risk,
    votes: numeral.parse(posted[`${act}-${risk}-votes`]),
    stepUp: yes.parse(posted[`${act}-${risk}-step-up`]),
  })),
}));

export const setRules = action(voteRules, setVoteRules, {
  done: ({ awaiting }, { practiceId }) =>
    doneAt(practiceId, awaiting === undefined ? "rules" : "rules-waiting", "rules"),
  refused: settingsMessage,
});

const onOff = practice.extend({ on: yes });

export const saveSignIn = action(onOff, setSsoOnly, {
  done: (_, { practiceId, on }) => doneAt(practiceId, on ? "sso" : "passwords", "rules"),
  refused: refusalMessage,
});

const required = onOff.transform(({ practiceId, on }) => ({ practiceId, required: on }));

export const saveSecondFactor = action(required, setSecondFactor, returning("security", "rules"));

export const saveSecondAdmin = action(onOff, setSecondAdmin, {
  done: ({ awaiting }, { practiceId, on }) =>
    doneAt(practiceId, awaiting !== undefined ? "second-admin-waiting" : on ? "second-admin" : "security", "rules"),
  refused: refusalMessage,
});

/** Whether test data is released without a person. */
export const saveAutoReview = action(onOff, setAutoReview, returning("auto-review", "rules"));

export const saveEmergencyAccess = action(onOff, setEmergencyAccess, {
  done: ({ awaiting }, { practiceId }) =>
    doneAt(practiceId, awaiting === undefined ? "security" : "emergency-waiting", "rules"),
  refused: refusalMessage,
});

export const suspend = action(practice, suspendPractice, returning("suspended"));

export const resume = action(practice, resumePractice, returning("resumed"));

/** Goes back to a tab of the practice's page, which says that it was done. */
function returning(done: PracticeDone, tab?: PracticeTab) {
  return {
    done: (_: unknown, { practiceId }: { readonly practiceId: string }) => doneAt(practiceId, done, tab),
    refused: refusalMessage,
  };
}

/** The same for a form that names what it showed. */
function savedFrom(done: PracticeDone, tab?: PracticeTab) {
  return { ...returning(done, tab), refused: settingsMessage };
}

function doneAt(practiceId: string, done: PracticeDone, tab?: PracticeTab): string {
  return `${practicePath(practiceId, tab)}?done=${done}`;
}
