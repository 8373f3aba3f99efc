"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { text } from "#components/form/form-schema";
import type { PracticeDone } from "#lib/messages/admin/practice";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { setLineOfBusiness } from "#lib/practice/set-line-of-business";
import { testRoute } from "#lib/practice/test-route";
import { routePath } from "./paths.ts";

const route = z.object({ practiceId: text, payerId: text });

export const setLine = action(route.extend({ lineOfBusiness: text }), setLineOfBusiness, returning("line"));

export const tryRoute = action(route, testRoute, returning("tested"));

/** Goes to the route's page, which says that it was done. */
function returning(done: PracticeDone) {
  return {
    done: (_: unknown, { practiceId, payerId }: z.infer<typeof route>) =>
      `${routePath(practiceId, payerId.trim())}&done=${done}`,
    refused: refusalMessage,
  };
}
