"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { text } from "#components/form/form-schema";
import { handleUnmatched } from "#lib/payer/inbox/unmatched-pushes";

/** Takes a notification that matched no case off the list. */
export const markAsHandled = action(z.object({ id: text }), handleUnmatched, {
  refused: () => ({ alert: "This notification isn't on your list. Nothing was changed.", problems: {} }),
});
