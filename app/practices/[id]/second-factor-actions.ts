"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { text, yes } from "#components/form/form-schema";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { setSecondFactor } from "#lib/practice/set-second-factor";

/** Says whether the practice's reviewers need a second factor, with a proof of who says so. */
export const saveSecondFactor = action(z.object({ practiceId: text, required: yes }), setSecondFactor, {
  done: (_, { practiceId }) => `/practices/${encodeURIComponent(practiceId)}?done=second-factor`,
  refused: refusalMessage,
});
