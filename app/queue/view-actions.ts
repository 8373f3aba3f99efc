"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { givenText, text } from "#components/form/form-schema";
import { viewRefusalText } from "#lib/messages/reviewer/saved-views";
import { dropView, nameView, saveView } from "#lib/queue/saved-views";

/** The practice chosen in the form; undefined for a view of one's own. */
const practice = givenText;

const refused = { refused: viewRefusalText };

/** Keeps the list at hand under a name, and shows it under that. */
export const save = action(z.object({ name: text, query: text, practiceId: practice }), saveView, {
  ...refused,
  done: ({ query }) => (query === "" ? "/queue" : `/queue?${query}`),
});

/** Gives a saved view another name. */
export const rename = action(z.object({ id: text, name: text }), nameView, refused);

/** Deletes a saved view; its list stays as it is. */
export const remove = action(z.object({ id: text }), dropView, refused);
