import { stateText } from "#lib/messages/reviewer/case";
import { ageTexts, assigneeTexts, environmentTexts } from "#lib/messages/reviewer/queue";
import { narrowsByWork, queueAges, queueAssignees } from "#lib/queue/model/queue";
import type { Address, FilterName } from "#lib/queue/queue-address";
import type { QueueChoices } from "#lib/queue/queue-choices";
import { states } from "#lib/task/model/task";

type Option = { readonly id: string; readonly name: string };

/** A filter, and what can be chosen for it. */
export type Choice = { readonly name: FilterName; readonly label: string; readonly options: readonly Option[] };

const actions: readonly Option[] = [
  { id: "transmit", name: "Submit" },
  { id: "void", name: "Void" },
];

/** The filters of a list, in the order of the form. Those that would have no choice are left out. */
export function filterChoices(
  { practices, payers, channels, environments }: QueueChoices,
  address: Address,
): readonly Choice[] {
  const ages = Object.keys(queueAges) as (keyof typeof queueAges)[];
  const byWork = narrowsByWork({ view: address.view, state: address.filters.state });
  const all: readonly Choice[] = [
    { name: "practice", label: "Practice", options: practices },
    { name: "payer", label: "Payer", options: payers },
    { name: "urgent", label: "Urgency", options: [{ id: "yes", name: "Urgent" }] },
    { name: "assignee", label: "Assignee", options: queueAssignees.map((id) => ({ id, name: assigneeTexts[id] })) },
    { name: "action", label: "Action", options: actions },
    { name: "state", label: "State", options: states.map((state) => ({ id: state, name: stateText(state) })) },
    { name: "channel", label: "Channel", options: channels },
    {
      name: "environment",
      label: "Environment",
      options: environments.map((id) => ({ id, name: environmentTexts[id] })),
    },
    { name: "age", label: "Age", options: ages.map((age) => ({ id: age, name: ageTexts[age] })) },
  ];
  return all.filter(({ name, options }) => {
    if (name === "practice" || name === "environment") return options.length > 1;
    return byWork || (name !== "urgent" && name !== "assignee");
  });
}
