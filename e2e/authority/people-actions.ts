import { randomUUID } from "node:crypto";
import { elsewhere, one, type Action, type Attempt } from "./attempt.ts";
import { admins, type Scene } from "./callers.ts";
import { form } from "./form.ts";

const member =
  (form: Attempt["form"] = {}, tab = "") =>
  ({ memberId: id }: Scene) =>
    one(`/people/${id}${tab}`, { personId: id, ...form });

/** Those of the pages of people and of their links. */
export const peopleActions: Readonly<Record<string, Action>> = {
  "app/people/actions.ts#invite": {
    for: admins,
    attempts: ({ practice: { id } }) =>
      one("/people/invite", { email: `${randomUUID()}@clinic.example`, roles: [`reviewer ${id}`] }),
  },
  "app/people/groups/actions.ts#giveGroup": {
    for: admins,
    attempts: ({ practice: { id } }) =>
      one("/people/groups", { issuer: "https://login.example", group: "spine", role: "auditor", practices: id }),
  },
  "app/people/groups/actions.ts#takeFromGroup": {
    for: admins,
    attempts: ({ practice: { id } }) =>
      one("/people/groups", { issuer: "https://login.example", group: "spine", grant: `auditor ${id}` }),
  },
  "app/people/[id]/actions.ts#setRoles": {
    for: admins,
    attempts: (scene) => member({ roles: [`auditor ${scene.practice.id}`], held: [] }, "/roles")(scene),
  },
  "app/people/[id]/actions.ts#endSession": { for: admins, attempts: member({}, "/sessions") },
  "app/people/[id]/actions.ts#resetFactors": { for: admins, attempts: member() },
  "app/people/[id]/actions.ts#sendLink": { for: admins, attempts: member() },
  "app/people/[id]/actions.ts#deactivate": { for: admins, attempts: member() },
  "app/people/[id]/actions.ts#reactivate": { for: admins, attempts: member() },
  "app/people/[id]/actions.ts#withdraw": {
    for: admins,
    attempts: ({ guestId }) => one(`/people/${guestId}`, { personId: guestId }),
  },
  "app/invite/actions.ts#answerLink": {
    for: "all",
    attempts: () => [
      {
        path: "/invite",
        args: [{}, form({ code: "nothing", chosen: "yes" })],
        ...elsewhere("e2e/admin/people.spec.ts"),
      },
    ],
  },
};
