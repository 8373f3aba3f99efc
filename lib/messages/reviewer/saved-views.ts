import { viewNameMax } from "#lib/queue/model/saved-view";
import type { ViewRefusal } from "#lib/queue/saved-views";

/** Why a view was not saved, renamed or deleted. */
export function viewRefusalText(refusal: ViewRefusal): {
  readonly alert?: string;
  readonly problems: Readonly<Record<string, string>>;
} {
  switch (refusal.type) {
    case "not-found":
      return { alert: "This view was deleted. Nothing was done.", problems: {} };
    case "invalid":
      return { problems: { name: `It must have 1 to ${viewNameMax} characters.` } };
    case "search":
      return {
        alert: "A search may name a patient, so it can't be saved. Save a view with filters instead.",
        problems: {},
      };
    case "not-a-code":
      return {
        alert: "The filter's procedure code isn't valid, so the view can't be saved. Correct it, then save the view.",
        problems: {},
      };
    case "not-a-place":
      return {
        alert:
          "The filter names a practice or payer that isn't one of yours, so it can't be saved. Choose one from the list, then save the view.",
        problems: {},
      };
    case "not-able":
      return {
        problems: {
          practiceId:
            "You can only share a view in a practice you review for, and not one filtered to another practice.",
        },
      };
    case "too-many":
      return { alert: `You already have ${refusal.max} views. Delete one first.`, problems: {} };
  }
}
