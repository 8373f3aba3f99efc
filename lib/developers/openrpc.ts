import { faults } from "#lib/a2a/reply/faults";
import { agentCard } from "#lib/a2a/card/agent-card";

const params: Readonly<Record<string, readonly string[]>> = {
  "message/send": ["message", "configuration"],
  "tasks/get": ["id", "historyLength", "metadata"],
  "tasks/cancel": ["id", "metadata"],
};

const schemaNames: Readonly<Record<string, string>> = {
  "message/send": "message-send",
  "tasks/get": "tasks-get",
  "tasks/cancel": "tasks-cancel",
};

const says: Readonly<Record<string, string>> = {
  "message/send": "Opens a task, continues it, or asks for a void.",
  "tasks/get": "Gives a task as it stands, at once or when it changes.",
  "tasks/cancel": "Withdraws what the payer does not have.",
};

/** The short reply to a call that named the version there is. */
const unchanged = {
  type: "object",
  required: ["kind", "id", "contextId", "state", "version", "unchanged", "status", "metadata"],
  properties: { unchanged: { const: true } },
};

/** The endpoint as an OpenRPC 1.4 document (https://spec.open-rpc.org). */
export function openRpc(publicUrl: string): object {
  const { name, version, description, url } = agentCard(publicUrl);
  const errors = new Map(Object.values(faults).map(({ code, message }) => [`${code} ${message}`, { code, message }]));
  const schemaAt = (method: string, member: string) => ({
    $ref: `${new URL(`/developers/schemas/${schemaNames[method]}.json`, publicUrl).href}#/properties/${member}`,
  });
  const task = { $ref: new URL("/developers/schemas/task.json", publicUrl).href };
  return {
    openrpc: "1.4.0",
    info: { title: name, version, description },
    servers: [{ name: "service", url }],
    methods: Object.entries(params).map(([method, members]) => ({
      name: method,
      summary: says[method],
      paramStructure: "by-name",
      params: members.map((member, index) => ({
        name: member,
        required: index === 0,
        schema: schemaAt(method, member),
      })),
      result: { name: "task", schema: method === "tasks/get" ? { anyOf: [task, unchanged] } : task },
      errors: [...errors.values()],
    })),
  };
}
