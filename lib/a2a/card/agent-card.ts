import type { AgentDirectories, AgentDirectory } from "#lib/practice/directory/read-payer-directories";
import { attachmentTypes } from "#lib/task/model/attachment";
import { skillJson } from "#lib/a2a/params/skill-json";

/** The version of this service, as in its card. */
const serviceVersion = "0.1.0";

const json = ["application/json"];
/** Each status message and artifact also says in a text part what its data is. */
const outputModes = [...json, "text/plain"];
const inputModesBySkill = {
  prior_auth_intake: [...json, ...attachmentTypes],
  prior_auth_void: [...json, "text/plain"],
};

const intakeExample = {
  skill: "prior_auth_intake",
  practiceId: "your-practice-id",
  serviceReview: { payer: { id: "payer-id" }, procedures: [{ code: "70551" }] },
};

const voidExample = {
  skill: "prior_auth_void",
  practiceId: "your-practice-id",
  taskId: "the-task-id",
  reason: "The procedure was canceled.",
};

const skills = [
  {
    id: "prior_auth_intake",
    name: "Ask for a prior authorization",
    description:
      "Opens a task for a service review with its attachments (file parts with bytes), or replaces the review of the task named by taskId. A reviewer of the practice releases it before anything reaches the payer; poll tasks/get to follow it: what the payer decides, what it wants and what was sent come as artifacts.",
    tags: ["healthcare", "prior-authorization", "utilization-management", "x12-278", "fhir-pas"],
    examples: [JSON.stringify(intakeExample)],
  },
  {
    id: "prior_auth_void",
    name: "Void a prior authorization",
    description:
      "Asks to reverse a request the payer already has. A reviewer of the practice releases the void before it reaches the payer. What became of it is the artifact void-result. What the payer does not have yet is withdrawn with tasks/cancel instead.",
    tags: ["healthcare", "prior-authorization", "cancellation"],
    examples: [JSON.stringify(voidExample)],
  },
] as const;

/** Names the extension by which agents read payers; the same on every installation. */
export const payerDirectoryUri = "urn:x-prior-authorization:payer-directory:1";

/**
 * The A2A 0.3.0 agent card, by which A2A clients discover this service at `publicUrl`. The `inputSchema` of a skill is an
 * addition of ours: the JSON Schema of its `data` part, each member of the service review with what it says. The payers of practices are for the channels that reach them.
 */
export function agentCard(publicUrl: string, directories?: AgentDirectories) {
  return {
    protocolVersion: "0.3.0",
    name: "Prior authorization",
    description:
      "Takes prior-authorization requests from agents, lets people of the practice release them, carries them to the payer exactly as released, and reports what the payer decides.",
    version: serviceVersion,
    documentationUrl: new URL("/developers", publicUrl).href,
    url: new URL("/api/a2a", publicUrl).href,
    preferredTransport: "JSONRPC",
    capabilities: {
      streaming: false,
      pushNotifications: false,
      stateTransitionHistory: false,
      extensions: [payerDirectory(directories)],
    },
    defaultInputModes: json,
    defaultOutputModes: outputModes,
    securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "The channel's key." } },
    security: [{ bearer: [] }],
    supportsAuthenticatedExtendedCard: false,
    skills: skills.map((skill) => ({
      ...skill,
      inputModes: inputModesBySkill[skill.id],
      outputModes,
      inputSchema: skillJson[skill.id],
    })),
  };
}

/** The payers of each practice by its id, as an extension of the card (A2A 0.3.0, section 5.5.2.1). */
function payerDirectory(directories: AgentDirectories | undefined) {
  return {
    uri: payerDirectoryUri,
    description:
      "The payers of each practice, by the ids that serviceReview.payer.id takes. Ask for this card with the channel's authorization to read them in params; add ?practice=<id> for one practice.",
    required: false,
    ...(directories && {
      params: {
        practices: Object.fromEntries(directories.practices.map(practiceEntry)),
        omitted: directories.omitted,
      },
    }),
  };
}

function practiceEntry({ practiceId, ...directory }: AgentDirectory) {
  return [practiceId, directory] as const;
}
