import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { agentCard } from "#lib/a2a/card/agent-card";
import { a2aListener } from "#lib/a2a/listener";
import { answer, createFront } from "#lib/platform/http/front";
import { aChannel, aPractice, aStore, smallReview } from "#test/support/cases/cases";
import { edgeDeps, rpc } from "#test/support/agents/edge";
import { listening } from "#test/support/servers/served";

const store = aStore();
// As server.ts mounts it.
const server = createFront({
  byPath: {
    "/api/a2a": a2aListener(edgeDeps(store)),
    "/.well-known/agent-card.json": (_, outgoing) =>
      answer(outgoing, {
        status: 200,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(agentCard(url)),
      }),
  },
  rest: (_, outgoing) => answer(outgoing, { status: 404, headers: {}, body: "" }),
  upgrades: () => false,
  onError: (error) => {
    throw error;
  },
});
const url = await listening(server);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await store.close();
});

const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });

// oxlint-disable-next-line typescript/no-explicit-any -- what a case reads of a reply is up to the case
type Reply = { readonly status: number; readonly json: any };

async function send(body: unknown, bearer: string | undefined = key): Promise<Reply> {
  const reply = await fetch(`${url}/api/a2a`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: reply.status, json: await reply.json() };
}

async function withoutCredential(body: unknown): Promise<Reply> {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${url}/api/a2a`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: reply.status, json: await reply.json() };
}

const intake = { kind: "data", data: { skill: "prior_auth_intake", practiceId, serviceReview: smallReview } };
// What the kit's text message is for an agent that talks: the least that starts a task here.
const message = (over: object = {}) => ({
  message: { kind: "message", role: "user", messageId: crypto.randomUUID(), parts: [intake], ...over },
});

async function opened(): Promise<{ readonly id: string; readonly contextId: string }> {
  return (await send(rpc("message/send", message()))).json.result;
}

/** A reply of JSON-RPC with this error to the request of this id. */
function refused(reply: Reply, code: number, id: string | null = "1"): void {
  expect(reply).toMatchObject({
    status: 200,
    json: { jsonrpc: "2.0", id, error: { code, message: expect.any(String) } },
  });
}

const underWay = /^(?:submitted|working|input-required|completed)$/;

function isTask({ json }: Reply, id: unknown = expect.any(String)): void {
  expect(json).toMatchObject({
    jsonrpc: "2.0",
    id: "1",
    result: { id, status: { state: expect.stringMatching(underWay) } },
  });
}

const card = () => agentCard(url);
const areTexts = (texts: readonly unknown[]) => texts.every((text) => typeof text === "string" && text.trim() !== "");
const nonexistent = { id: "nonexistent-task-id" };

/** What each case of the kit asks, by the kit's own names of file and case; those without a function ask nothing here. */
const cases: Readonly<Record<string, Readonly<Record<string, (() => Promise<void> | void) | undefined>>>> = {
  "jsonrpc/test_json_rpc_compliance": {
    // The one that fails: for a body that is no JSON, the interface has -32600.
    test_rejects_malformed_json: async () => {
      const reply = await send('{"jsonrpc": "2.0", "method": "message/send", "params": {"foo": "bar"}');
      expect(reply).toMatchObject({ status: 400, json: { id: null, error: { code: -32_600 } } });
    },
    "test_rejects_invalid_json_rpc_requests[version]": async () =>
      refused(await send({ jsonrpc: "aaa", method: "message/send", params: {} }), -32_600, null),
    "test_rejects_invalid_json_rpc_requests[no method]": async () =>
      refused(await send({ jsonrpc: "2.0", params: {} }), -32_600, null),
    "test_rejects_invalid_json_rpc_requests[wrong method]": async () =>
      refused(await send({ jsonrpc: "2.0", method: "message/ssend", params: {} }), -32_601, null),
    "test_rejects_invalid_json_rpc_requests[id]": async () =>
      refused(await send({ jsonrpc: "2.0", method: "message/send", params: {}, id: { bad: "type" } }), -32_600, null),
    "test_rejects_invalid_json_rpc_requests[params]": async () =>
      refused(await send({ jsonrpc: "2.0", method: "message/send", params: { "": "not_a_dict" } }), -32_602, null),
    test_rejects_unknown_method: async () => refused(await send(rpc("nonexistent/method", {})), -32_601),
    test_rejects_invalid_params: async () =>
      refused(await send(rpc("message/send", { message: { parts: "invalid" } })), -32_602),
  },
  "jsonrpc/test_protocol_violations": {
    test_duplicate_request_ids: async () => {
      isTask(await send(rpc("message/send", message())));
      expect((await send(rpc("message/send", message()))).json).toMatchObject({ jsonrpc: "2.0", id: "1" });
    },
    test_invalid_jsonrpc_version: async () =>
      refused(await send({ ...rpc("message/send", message()), jsonrpc: "1.0" }), -32_600),
    test_missing_method_field: async () =>
      refused(await send({ ...rpc("message/send", message()), method: undefined }), -32_600),
    test_raw_invalid_json: async () => {
      const reply = await send('{"jsonrpc": "2.0", "method": "message/send", "params": {"unclosed_object": true');
      expect(reply.status).toBe(400);
    },
  },
  "jsonrpc/test_a2a_error_codes": {
    test_push_notification_not_supported_error_32003: undefined,
    test_unsupported_operation_error_32004: undefined,
    test_content_type_not_supported_error_32005: undefined,
    test_invalid_agent_response_error_32006: undefined,
    test_a2a_error_code_coverage_summary: undefined,
  },
  "protocol/test_agent_card": {
    test_agent_card_available: async () => {
      const reply = await fetch(`${url}/.well-known/agent-card.json`);
      expect(await reply.json()).toEqual(JSON.parse(JSON.stringify(card())));
    },
    test_mandatory_fields_present: () =>
      expect(Object.keys(card())).toEqual(
        expect.arrayContaining([
          ...["capabilities", "defaultInputModes", "defaultOutputModes", "description"],
          ...["name", "skills", "url", "version"],
        ]),
      ),
    test_mandatory_field_types: () => {
      const { name, description, version, capabilities, defaultInputModes, defaultOutputModes, skills } = card();
      expect(areTexts([name, description, version])).toBe(true);
      expect(capabilities).toEqual(expect.any(Object));
      for (const list of [defaultInputModes, defaultOutputModes, skills]) expect(list).toEqual(expect.any(Array));
      expect(card().url).toMatch(/^https?:\/\/[^\s#$./?][^\s]*$/);
    },
  },
  "protocol/test_agent_card_mandatory": {
    test_agent_card_mandatory_fields: () => expect(card().protocolVersion).toBe("0.3.0"),
    test_agent_card_capabilities_mandatory: () => expect(card().capabilities).toEqual(expect.any(Object)),
    test_agent_card_skills_mandatory: () => {
      expect(card().skills.length).toBeGreaterThan(0);
      for (const { id, name, description, tags } of card().skills)
        expect(areTexts([id, name, description, ...tags])).toBe(true);
    },
    test_agent_card_input_output_modes_mandatory: () =>
      expect(areTexts([...card().defaultInputModes, ...card().defaultOutputModes])).toBe(true),
    test_agent_card_basic_info_mandatory: () => {
      expect(areTexts([card().name, card().description, card().version])).toBe(true);
      expect(card().url).toMatch(/^https?:\/\//);
    },
  },
  "protocol/test_message_send_method": {
    test_message_send_valid_text: async () => isTask(await send(rpc("message/send", message()))),
    test_message_send_invalid_params: async () =>
      refused(await send(rpc("message/send", { message: { kind: "message" } })), -32_602),
    test_message_send_continue_task: async () => {
      const { id } = await opened();
      isTask(await send(rpc("message/send", message({ taskId: id }))), id);
    },
    test_message_send_continue_nonexistent_task: async () =>
      refused(await send(rpc("message/send", message({ taskId: "non-existent-task-id" }))), -32_001),
  },
  "protocol/test_tasks_get_method": {
    test_tasks_get_valid: async () => {
      const { id } = await opened();
      isTask(await send(rpc("tasks/get", { id })), id);
    },
    test_tasks_get_with_history_length: async () => {
      const { id } = await opened();
      const reply = await send(rpc("tasks/get", { id, historyLength: 1 }));
      isTask(reply, id);
      expect(reply.json.result.history).toHaveLength(1);
    },
    test_tasks_get_nonexistent: async () => refused(await send(rpc("tasks/get", nonexistent)), -32_001),
  },
  "protocol/test_tasks_cancel_method": {
    test_tasks_cancel_valid: async () => {
      const { id } = await opened();
      const { json } = await send(rpc("tasks/cancel", { id }));
      expect(json).toMatchObject({ id: "1", result: { id, status: { state: "canceled" } } });
    },
    test_tasks_cancel_nonexistent: async () => refused(await send(rpc("tasks/cancel", nonexistent)), -32_001),
  },
  "protocol/test_state_transitions": {
    test_task_history_length: async () => {
      const { id: taskId } = await opened();
      for (let sent = 1; sent <= 3; sent += 1) isTask(await send(rpc("message/send", message({ taskId }))), taskId);
      const { json } = await send(rpc("tasks/get", { id: taskId, historyLength: 2 }));
      expect(json.result.history).toHaveLength(2);
    },
  },
  "protocol/test_extended_agent_card": {
    test_extended_agent_card_endpoint_exists: undefined,
    test_extended_agent_card_authentication_required: undefined,
    test_extended_agent_card_invalid_authentication: undefined,
    test_extended_agent_card_response_format: undefined,
  },
  "authentication/test_auth_enforcement": {
    test_authentication_required_when_declared: async () => {
      expect(await withoutCredential(rpc("tasks/get", nonexistent))).toMatchObject({ status: 401 });
    },
    test_invalid_credentials_rejected: async () => {
      expect(await send(rpc("tasks/get", nonexistent), "invalid-dummy-jwt-token-12345")).toMatchObject({ status: 401 });
    },
    test_authentication_scheme_consistency: () => {
      const { securitySchemes, security } = card();
      expect(securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
      expect(security.flatMap((each) => Object.keys(each))).toEqual(Object.keys(securitySchemes));
    },
  },
};

const published = () => agentCard("https://pa.example.org");
const named = { jsonrpc: "2.0", error: { code: expect.any(Number), message: expect.stringMatching(/\S/) } };

/** What the mandatory category got with later editions for 0.3. */
const later: typeof cases = {
  "jsonrpc/test_a2a_error_codes_enhanced": {
    test_push_notification_not_supported_error_32003_enhanced: undefined,
    test_unsupported_operation_error_32004_enhanced: undefined,
    test_content_type_not_supported_error_32005_enhanced: undefined,
    test_invalid_agent_response_error_32006_enhanced: undefined,
    test_a2a_error_code_coverage_enhanced: undefined,
  },
  "authentication/test_auth_compliance_v030": {
    test_security_scheme_structure_compliance: () => {
      for (const { type, scheme } of Object.values(card().securitySchemes))
        expect([type, scheme]).toEqual(["http", "bearer"]);
    },
    test_authentication_transport_consistency: async () => {
      expect((await withoutCredential(rpc("tasks/get", nonexistent))).status).toBe(401);
    },
    test_security_error_response_compliance: async () => {
      for (const reply of [
        withoutCredential(rpc("tasks/get", nonexistent)),
        send(rpc("tasks/get", nonexistent), "invalid"),
      ])
        expect(await reply).toMatchObject({ status: 401, json: named });
    },
    test_oauth2_metadata_url_validation: undefined,
    test_mutual_tls_scheme_declaration: () =>
      expect(Object.values(card().securitySchemes).map(({ type }) => type)).not.toContain("mutualTLS"),
  },
  "quality/test_error_validation_enhanced": {
    test_invalid_method_error_validation: async () =>
      refused(await send(rpc("invalid/nonexistent/method", {})), -32_601),
    test_invalid_params_error_validation: async () => {
      for (const params of [{}, { id: 12_345 }]) refused(await send(rpc("tasks/get", params)), -32_602);
    },
    test_nonexistent_resource_error_validation: async () => {
      for (const id of ["definitely-nonexistent-task-id-12345", ""])
        expect((await send(rpc("tasks/get", { id }))).json).toMatchObject(named);
    },
    test_error_consistency_across_methods: async () => {
      for (const method of ["tasks/get", "tasks/status", "tasks/delete"])
        for (const params of [{}, { id: "" }]) expect((await send(rpc(method, params))).json).toMatchObject(named);
    },
    test_error_response_completeness: async () => {
      refused(await send(rpc("completely/invalid/method", {})), -32_601);
      for (const params of [{}, { id: { invalid: "object" } }])
        expect((await send(rpc("tasks/get", params))).json.error.data.issues).toMatchObject([{ path: "/id" }]);
    },
  },
  "security/test_agent_card_security": {
    // The other one that fails: it asks for the card by a GET of the endpoint's own address.
    test_public_agent_card_access_control: async () => {
      const reply = await fetch(`${url}/api/a2a`);
      expect([reply.status, await reply.json()]).toMatchObject([405, named]);
      expect((await fetch(`${url}/.well-known/agent-card.json`)).status).toBe(200);
    },
    test_extended_card_access_controls: undefined,
    test_authentication_scheme_validation: undefined,
    test_sensitive_information_protection: () => {
      const text = JSON.stringify(published());
      expect(text).not.toMatch(/api[_-]?key|secret|token|password|credential|private[_-]?key|localhost/i);
      expect(text).not.toMatch(/127\.0\.0\.1|192\.168\.|10\.|172\.(?:1[6-9]|2\d|3[01])\./);
      expect(text).not.toMatch(/(?:internal|private|admin|debug|test).*(?:url|endpoint|host)/i);
    },
    test_security_scheme_consistency: () =>
      expect(Object.keys(card().securitySchemes)).toEqual(card().security.flatMap((each) => Object.keys(each))),
  },
};

/** Those of the capabilities category that ask for something here; the rest is for capabilities that the card denies. */
const capabilities: (typeof cases)[string] = {
  test_capabilities_structure: () => {
    const { streaming, pushNotifications, stateTransitionHistory } = card().capabilities;
    expect([streaming, pushNotifications, stateTransitionHistory]).toEqual([false, false, false]);
  },
  test_agent_extensions_structure: () => {
    for (const { uri, description, required } of card().capabilities.extensions) {
      expect(areTexts([uri, description])).toBe(true);
      expect(required).toBe(false);
    }
  },
  test_message_send_continue_with_contextid: async () => {
    const { id: taskId, contextId } = await opened();
    isTask(await send(rpc("message/send", message({ taskId, contextId }))), taskId);
  },
  test_auth_schemes_available: () => expect(Object.keys(card().securitySchemes)).toEqual(["bearer"]),
  test_missing_authentication: async () => {
    expect((await withoutCredential(rpc("tasks/get", nonexistent))).status).toBe(401);
  },
  test_invalid_authentication: async () => {
    expect((await send(rpc("tasks/get", nonexistent), "invalid-dummy-token")).status).toBe(401);
  },
};

const requiredCases = Object.entries({ ...cases, ...later, "optional/capabilities": capabilities }).flatMap(
  ([file, named]) => Object.entries(named).flatMap(([name, ask]) => (ask ? [{ file, name, ask }] : [])),
);

test.each(requiredCases)("the service answers the kit's $file, $name, as the published table says", async ({ ask }) => {
  expect.hasAssertions();
  await ask();
});

test("what the kit skips is what the card denies", async () => {
  expect(card()).toMatchObject({
    supportsAuthenticatedExtendedCard: false,
    capabilities: { streaming: false, pushNotifications: false },
  });
  for (const method of ["message/stream", "tasks/resubscribe", "tasks/pushNotificationConfig/set"])
    refused(await send(rpc(method, message())), -32_601);
});

test("the edition of the kit for A2A 0.2.5 has 33 of these cases, and all but one pass", () => {
  // Those of later editions: codes that only 0.3 has, and the card behind a credential.
  const sinceThen = ["jsonrpc/test_a2a_error_codes", "protocol/test_extended_agent_card"];
  const early = Object.entries(cases).flatMap(([file, named]) =>
    sinceThen.includes(file) ? [] : Object.entries(named).map(([name, ask]) => ({ name, ask })),
  );
  expect(early).toHaveLength(33);
  // Without schemes in the card, the kit would skip its cases about credentials instead of asking.
  expect(Object.keys(card().securitySchemes)).not.toHaveLength(0);
  expect(early.filter(({ ask }) => ask === undefined)).toEqual([]);
  expect(early.filter(({ name }) => name !== "test_rejects_malformed_json")).toHaveLength(32);
});

test("the published table names every case and how it ends", () => {
  const text = readFileSync("docs/developers/conformance.md", "utf8");
  const rows = text.split("\n### ").flatMap((section) => {
    const [file, ...lines] = section.split("\n");
    const cells = lines
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split("|").map((cell) => cell.trim()));
    return cells.map(([, name = "", result]) => [file, name.replaceAll("`", ""), result]);
  });
  const failing = ["test_rejects_malformed_json", "test_public_agent_card_access_control"];
  // They end with a list of their own codes, and send nothing.
  const asksNothing = ["test_a2a_error_code_coverage_summary", "test_a2a_error_code_coverage_enhanced"];
  const ending = (name: string, ask: unknown) => {
    if (failing.includes(name)) return "fails";
    if (asksNothing.includes(name)) return "passes";
    return ask === undefined ? "skipped" : "passes";
  };
  const expected = Object.entries({ ...cases, ...later }).flatMap(([file, named]) =>
    Object.entries(named).map(([name, ask]) => [file, name, ending(name, ask)]),
  );
  expect(rows).toEqual(expected);
  const count = (result: string) => expected.filter(([, , each]) => each === result).length;
  expect(text).toContain(
    `Of ${expected.length} cases, ${count("passes")} pass, ${count("fails")} fail and ${count("skipped")} are skipped.`,
  );
});
