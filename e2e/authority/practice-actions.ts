import { randomUUID } from "node:crypto";
import { one, type Action, type Attempt } from "./attempt.ts";
import { admins, type Scene } from "./callers.ts";

const practice =
  (form: Attempt["form"] = {}, tab = "") =>
  ({ practice: { id } }: Scene) =>
    one(`/practices/${id}${tab}`, { practiceId: id, ...form });

const made = { name: "Made", timeZone: "UTC", environment: "test" } as const;

/** Where what waits for a second admin is tried. */
export const secondAdmins = { where: "lib/change-request/second-admin.store.test.ts" } as const;

const emergencies = { where: "lib/task/emergency-access.store.test.ts" } as const;

const ownFactors = { where: "e2e/account/second-factor.spec.ts" } as const;

// Whoever does them has a draft of their own first.
const drafts = { where: "lib/practice/draft/route-draft.store.test.ts" } as const;

/** Those of the pages of practices. */
export const practiceActions: Readonly<Record<string, Action>> = {
  "app/practices/actions.ts#makePractice": {
    for: ["admin"],
    attempts: () => one("/practices/new", { ...made, id: `made-${randomUUID().slice(0, 8)}` }),
  },
  "app/practices/[id]/actions.ts#saveIdentity": {
    for: admins,
    attempts: practice({ name: "Renamed", environment: "test", timeZone: "UTC", npi: "", taxId: "" }),
  },
  "app/practices/[id]/actions.ts#saveTiming": {
    for: admins,
    attempts: practice(
      { recallWindowS: "30", gateExpiryDays: "7", urgentTargetH: "2", standardTargetH: "9" },
      "/rules",
    ),
  },
  "app/practices/[id]/actions.ts#setWarnings": {
    for: admins,
    attempts: practice({ reasoned: ["no-attachment"] }, "/rules"),
  },
  "app/practices/[id]/route-actions.ts#setLine": {
    for: admins,
    attempts: practice({ payerId: "87042", lineOfBusiness: "medicaid-ffs" }, "/route?payer=87042"),
  },
  "app/practices/[id]/actions.ts#addProvider": {
    for: admins,
    attempts: practice({ npi: "1234567893", name: "Maja Lindqvist", roles: ["requesting"] }, "/providers"),
  },
  "app/practices/[id]/actions.ts#dropProvider": {
    for: admins,
    attempts: practice({ npi: "1234567893" }, "/providers"),
  },
  "app/practices/[id]/new-route/actions.ts#beginConnection": {
    for: admins,
    attempts: practice(
      { payerId: "99999", payerName: "Elsewhere Health", connector: "manual", environment: "test" },
      "/new-route",
    ),
  },
  ...Object.fromEntries(
    ["saveAccess", "testConnection", "activateConnection", "discardConnection"].map((name): [string, Action] => [
      `app/practices/[id]/new-route/actions.ts#${name}`,
      {
        for: admins,
        attempts: (scene) =>
          practice({ draftId: randomUUID() }, "/new-route")(scene).map((each) => ({ ...each, does: drafts })),
      },
    ]),
  ),
  "app/practices/[id]/route-actions.ts#tryRoute": {
    for: admins,
    attempts: practice({ payerId: "87042" }, "/route?payer=87042"),
  },
  "app/practices/[id]/payers/actions.ts#savePayer": {
    for: admins,
    attempts: practice(
      { payerId: "60054", name: "Lakeview Mutual, renamed", aliases: "LVM", supports: ["updates"] },
      "/payers",
    ),
  },
  "app/practices/[id]/payers/actions.ts#saveUnlisted": {
    for: admins,
    attempts: practice({ unlistedPayers: "manual" }, "/payers"),
  },
  "app/practices/[id]/payers/actions.ts#saveRules": {
    for: admins,
    attempts: practice(
      {
        ...{ payerId: "60054", seen: "[]", "0.position": "1", "0.name": "Imaging" },
        ...{ "0.serviceTypes": "4", "0.codes": "70336-78816", "0.linesOfBusiness": "", "0.connection": "87042" },
      },
      "/payer?payer=60054",
    ),
  },
  "app/practices/[id]/payers/actions.ts#dropPayer": {
    for: admins,
    attempts: practice({ payerId: "60054" }, "/payer?payer=60054"),
  },
  "app/practices/[id]/actions.ts#setRules": {
    for: admins,
    attempts: practice(
      Object.fromEntries(
        ["transmit", "void"].flatMap((action) =>
          ["ordinary", "high"].map((risk) => [`${action}-${risk}-votes`, "2"] as const),
        ),
      ),
      "/rules",
    ),
  },
  // Nobody here came through a provider, so that nobody may turn it on.
  "app/practices/[id]/actions.ts#saveSignIn": {
    for: admins,
    attempts: ({ practice: { id } }) =>
      one(
        `/practices/${id}/rules`,
        { practiceId: id, on: "yes" },
        { where: "lib/person/sso/sso-rights.store.test.ts" },
      ),
  },
  "app/practices/[id]/actions.ts#saveEmergencyAccess": { for: admins, attempts: practice({ on: "yes" }, "/rules") },
  "app/emergency/actions.ts#openInEmergency": {
    for: admins,
    attempts: ({ practice: { id } }) =>
      one("/emergency", { practiceId: id, caseId: "00000000", reason: "No reviewer answers." }, emergencies),
  },
  "app/practices/[id]/actions.ts#saveSecondFactor": {
    for: admins,
    // Turned on, no reviewer here would see anything more.
    attempts: (scene) => practice({ on: "" }, "/rules")(scene).map((each) => ({ ...each, does: ownFactors })),
  },
  // Turned on, what the others ask for here would wait.
  "app/practices/[id]/actions.ts#saveSecondAdmin": {
    for: admins,
    attempts: (scene) => practice({ on: "" }, "/rules")(scene).map((each) => ({ ...each, does: secondAdmins })),
  },
  "app/practices/[id]/actions.ts#saveAutoReview": {
    for: admins,
    // Turned on, it would release what the other attempts need at a gate.
    attempts: (scene) =>
      practice()(scene).map((each) => ({ ...each, does: { where: "lib/gate/auto-release.store.test.ts" } })),
  },
  "app/practices/[id]/actions.ts#suspend": { for: admins, attempts: practice() },
  "app/practices/[id]/actions.ts#resume": { for: admins, attempts: practice() },
};
