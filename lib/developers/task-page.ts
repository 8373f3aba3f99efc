import { formOf } from "./form.ts";
import type { JsonSchema } from "#lib/a2a/params/skill-json";
import { taskJson } from "./schemas.ts";
import { table } from "./table.ts";

/** A member of a task that is a value, by its JSON pointer; `[]` stands for any place in a list. */
export type Member = { readonly pointer: string; readonly schema: JsonSchema; readonly isAlways: boolean };

/** Every member of a task, in the order of the schema. */
export const taskMembers: readonly Member[] = membersOf(taskJson, "", true);

function membersOf(schema: JsonSchema, pointer: string, isAlways: boolean): readonly Member[] {
  const { properties, required = [], items, anyOf, description } = schema;
  if (description !== undefined) return [{ pointer, schema, isAlways }];
  if (properties)
    return Object.entries(properties).flatMap(([name, member]) =>
      membersOf(member, `${pointer}/${name}`, isAlways && required.includes(name)),
    );
  if (anyOf) return anyOf.flatMap((each) => (each.type === "null" ? [] : membersOf(each, pointer, false)));
  return items ? membersOf(items, `${pointer}[]`, isAlways) : [{ pointer, schema, isAlways }];
}

const sections: readonly (readonly [title: string, prefix: RegExp])[] = [
  ["The task", /^\/[^/]+$/],
  ["Status", /^\/status\//],
  ["Who moves next", /^\/nextAction\//],
  ["Revision", /^\/revision\//],
  ["Gate", /^\/gate\//],
  ["Problems and warnings", /^\/(?:problems|warnings)\[\]/],
  ["Determination", /^\/determination\/(?!lines|progress)/],
  ["Lines of a determination", /^\/determination\/(?:lines|progress)/],
  ["After a denial", /^\/recourse\//],
  ["The payer's clock", /^\/clock\//],
  ["Artifacts", /^\/artifacts\[\]/],
  ["For clients of A2A", /^\/metadata\//],
];

/** The page about a task: each member with what it says and its form. */
export function taskPage(): string {
  const parts = sections.map(([title, prefix]) => {
    const rows = taskMembers.filter(({ pointer }) => prefix.test(pointer)).map(rowOf);
    return `## ${title}\n\n${table(["member", "what it says", "form"], rows)}`;
  });
  return [introduction, ...parts].join("\n\n");
}

const introduction = `# Task

What each reply holds as \`result\`. A member in **bold** is in every reply but the [short one](waiting.md#waiting-calls) to a call that waits. More members may come; ignore what you do not know.

What the data of each artifact is stands in [Payer answers](payer-answers.md#artifacts). The same as a [JSON Schema](/developers/schemas/task.json).`;

function rowOf({ pointer, schema, isAlways }: Member): readonly string[] {
  const name = `\`${pointer.slice(1).replaceAll("/", ".")}\``;
  return [isAlways ? `**${name}**` : name, schema.description ?? "", formOf(schema)];
}
