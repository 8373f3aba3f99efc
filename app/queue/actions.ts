"use server";

import { z } from "zod";
import { call } from "#components/form/action";
import { text } from "#components/form/form-schema";
import { addressOf } from "#lib/queue/queue-address";
import { searchCases } from "#lib/queue/search-cases";

/** Looks for a case and goes to where it is found. What was typed is posted, for it may be of a patient. */
export const findCases = call(z.object({ text }), (ctx, typed) => searchCases(ctx, typed.text), {
  done: addressOf,
  refused: "/queue?problem=search",
  signedOut: "/sign-in?next=%2Fqueue",
});
