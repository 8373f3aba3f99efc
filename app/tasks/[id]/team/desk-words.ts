import type { ActAnswer } from "#components/form/act-answer";
import type { DeskRefusal } from "#lib/task/desk-refusal";

/** Why something around a case was not done, in words. */
export function deskWords(refusal: DeskRefusal): Pick<ActAnswer, "alert" | "problems"> {
  switch (refusal.type) {
    case "not-found":
      return { alert: "This case is no longer yours to work on. Nothing was done.", problems: {} };
    case "invalid":
      return { problems: Object.fromEntries(refusal.issues.map(({ path, problem }) => [path, `It ${problem}.`])) };
    case "claimed":
      return {
        alert: `${refusal.by} was first. You can take it over from them, or decide all the same.`,
        problems: {},
      };
    case "assigned-meanwhile": {
      const whose = refusal.to === undefined ? "to nobody" : `to ${refusal.to}`;
      return { alert: `Meanwhile it was assigned ${whose}. Nothing was done.`, problems: {} };
    }
    case "not-able":
      return { problems: { to: "They may not decide for this practice." } };
  }
}
