import { sendSchema } from "#lib/a2a/params/send-params";
import { described, jsonSchemaOf, serviceReviewJson, skillJson, type JsonSchema } from "#lib/a2a/params/skill-json";
import { taskSchemas } from "#lib/a2a/params/task-params";
import { taskMemberText } from "#lib/messages/agent/task-members";
import { taskSchema } from "./task-schema.ts";

/** A task, each member with what it says. */
export const taskJson: JsonSchema = described(jsonSchemaOf(taskSchema), "", (pointer) => {
  const description = taskMemberText(pointer);
  return description === undefined ? undefined : { description };
});

/** The schemas that the service publishes, by the name in their address. The ones of the skills are those of the card. */
export const schemas: Readonly<Record<string, JsonSchema>> = {
  "service-review": serviceReviewJson,
  ...skillJson,
  "message-send": jsonSchemaOf(sendSchema),
  "tasks-get": jsonSchemaOf(taskSchemas.get),
  "tasks-cancel": jsonSchemaOf(taskSchemas.cancel),
  task: taskJson,
};

/** A schema as it is published, with its own address. */
export function publishedSchema(name: string, publicUrl: string): JsonSchema | undefined {
  if (!Object.hasOwn(schemas, name)) return undefined;
  return { ...{ $id: new URL(`/developers/schemas/${name}.json`, publicUrl).href }, ...schemas[name] };
}
