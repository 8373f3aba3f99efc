"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { text } from "#components/form/form-schema";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { openEmergencyAccess } from "#lib/task/emergency-access";

export const openInEmergency = action(z.object({ practiceId: text, caseId: text, reason: text }), openEmergencyAccess, {
  done: ({ taskId }) => `/tasks/${taskId}/emergency`,
  refused: refusalMessage,
});
