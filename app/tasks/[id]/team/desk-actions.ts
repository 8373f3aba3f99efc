"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { givenText, postedTexts, text } from "#components/form/form-schema";
import { assignTask } from "#lib/queue/assign-task";
import { snoozeCase, wakeCase } from "#lib/queue/snooze-case";
import { snoozeChoices } from "#lib/queue/model/snooze";
import { recordUnitsUsed } from "#lib/queue/record-units-used";
import { writeNote } from "#lib/queue/write-note";
import { deskRefusalText, snoozeRefusalText } from "#lib/messages/reviewer/refusals";

const task = z.object({ taskId: text });

/** The person chosen in the form; undefined if the field is empty. */
const person = text.transform((id) => id || undefined);

/** The page is drawn anew in either case; nothing typed into its other forms is lost by it. */
const inPlace = { refused: deskRefusalText };

/** Assigns the case, over the assignment that was shown. */
export const assign = action(task.extend({ from: person, to: person }), assignTask, inPlace);

/** Adds a note among reviewers. */
export const writeCaseNote = action(task.extend({ noteId: text, text }), writeNote, inPlace);

/** The fields `used-2` of a form as the units used of line 2; an empty one says nothing of its line. */
const uses = postedTexts.transform((fields) => ({
  uses: Object.entries(fields).flatMap(([name, [typed = ""]]) => {
    const [, line] = /^used-([1-9]\d?)$/.exec(name) ?? [];
    return line === undefined || typed.trim() === "" ? [] : [{ sequence: Number(line), used: Number(typed) }];
  }),
}));

/** Records how many of the authorized units are used. */
export const recordUse = action(task.extend({ determinationId: text }).and(uses), recordUnitsUsed, inPlace);

const until = z.object({
  choice: text.pipe(z.enum(snoozeChoices, "must be selected")),
  at: givenText,
  ...{ zone: text, changedAt: text },
});

/** Leaves the case out of what there is to do until it wakes. */
export const snooze = action(task.extend(until.shape), snoozeCase, { refused: snoozeRefusalText });

/** Wakes it now. */
export const wake = action(task, wakeCase, inPlace);
