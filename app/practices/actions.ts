"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { environment, text } from "#components/form/form-schema";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { createPractice } from "#lib/practice/create-practice";

/** Makes a practice and goes to its page. */
export const makePractice = action(z.object({ id: text, name: text, timeZone: text, environment }), createPractice, {
  done: ({ id }) => `/practices/${encodeURIComponent(id)}?done=made`,
  refused: refusalMessage,
});
