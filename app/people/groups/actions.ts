"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { text } from "#components/form/form-schema";
import { grantOf } from "#components/text/grant-text";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { mapGroup, unmapGroup } from "#lib/person/map-group";
import { everyPractice } from "./every-practice.ts";

const group = z.object({ issuer: text, group: text });

const given = group
  .extend({
    role: text.refine((role) => role !== "", "Choose one."),
    practices: text.refine((where) => where !== "", "Choose where."),
  })
  .transform(({ practices, ...rest }) => ({
    ...rest,
    practiceId: practices === everyPractice ? undefined : practices,
  }));

/** Gives a group of the provider a role, with a proof of who says so. */
export const giveGroup = action(given, mapGroup, returning("given"));

const taken = group.extend({ grant: text }).transform(({ grant, ...rest }) => ({ ...rest, ...grantOf(grant) }));

/** Takes one away again. */
export const takeFromGroup = action(taken, unmapGroup, returning("taken"));

function returning(done: "given" | "taken") {
  return { done: () => `/people/groups?done=${done}`, refused: refusalMessage };
}
