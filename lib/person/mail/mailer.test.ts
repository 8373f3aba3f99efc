import { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { aMailServer } from "#test/support/servers/mail-server";
import { createMailer } from "./mailer.ts";

/** A signal that never ends what it goes with. */
const going = new AbortController().signal;

const mail = {
  to: "dana@example.org",
  subject: "A case",
  text: "A case",
  html: "<p>A case</p>",
  messageId: "<1@a.example>",
};
const sendTo = (url: string, publicUrl = "https://pa.example.org") =>
  createMailer({ url, from: "Prior authorization <pa@example.org>", publicUrl }).send(mail, going);
const replyOf = (code: number, detail = "") =>
  Object.assign(new Error(`${detail}No dana@example.org here`), { responseCode: code });

async function refusedOn(on: "onMailFrom" | "onRcptTo" | "onData", reply: Error) {
  const server = await aMailServer({
    [on]: (stream: { resume?: () => void }, _: unknown, answer: (error: Error) => void) => {
      stream.resume?.();
      answer(reply);
    },
  });
  return await sendTo(server.url);
}

test.each([
  ["refuses the sender", "onMailFrom", 550, { outcome: "down", problem: "EENVELOPE 550 MAIL FROM" }],
  ["has no room for any mail", "onMailFrom", 452, { outcome: "down", problem: "EENVELOPE 452 MAIL FROM" }],
  ["wants to be signed in to first", "onMailFrom", 530, { outcome: "down", problem: "EENVELOPE 530 MAIL FROM" }],
  ["wants that later", "onRcptTo", 530, { outcome: "down", problem: "EENVELOPE 530 RCPT TO" }],
  ["finds the mail too large", "onMailFrom", 552, { outcome: "refused", problem: "EENVELOPE 552 MAIL FROM" }],
  ["refuses the recipient", "onRcptTo", 550, { outcome: "refused", problem: "EENVELOPE 550 RCPT TO" }],
  ["refuses the recipient for now", "onRcptTo", 450, { outcome: "later", problem: "EENVELOPE 450 RCPT TO" }],
  ["refuses what the mail says", "onData", 554, { outcome: "refused", problem: "EMESSAGE 554 DATA" }],
] as const)(
  "a mail is given up only for what is wrong with it, and not where the server %s",
  async (_, on, code, result) => expect(await refusedOn(on, replyOf(code))).toEqual(result),
);

test.each([
  ["its rule about who may use the sender, as Postfix", "onRcptTo", 553, "5.7.1"],
  ["that it knows no such domain of a sender", "onRcptTo", 550, "5.1.8"],
  ["that the sender's address is wrong", "onRcptTo", 553, "5.1.7"],
  ["that the sender may not be used, as Exchange", "onData", 554, "5.2.252"],
  ["its rule about what mails say", "onData", 550, "5.7.1"],
] as const)("a mail is tried again where the server says %s", async (_, on, code, detail) => {
  const problem = `${on === "onData" ? "EMESSAGE" : "EENVELOPE"} ${code} ${detail} ${on === "onData" ? "DATA" : "RCPT TO"}`;
  expect(await refusedOn(on, replyOf(code, `${detail} `))).toEqual({ outcome: "later", problem });
});

test("a mail is given up where the server says that there is no such mailbox", async () => {
  const result = { outcome: "refused", problem: "EENVELOPE 550 5.1.1 RCPT TO" };
  expect(await refusedOn("onRcptTo", replyOf(550, "5.1.1 "))).toEqual(result);
});

test("what is wrong with a connection is said by its own code", async () => {
  expect(await sendTo("smtp://127.0.0.1:9")).toEqual({ outcome: "down", problem: "ESOCKET ECONNREFUSED CONN" });
  const plain = await aMailServer();
  expect(await sendTo(plain.url.replace("smtp:", "smtps:"))).toEqual({
    outcome: "down",
    problem: "ESOCKET ERR_SSL_WRONG_VERSION_NUMBER CONN",
  });
});

test("a mail says that no person wrote it, and a server has five minutes to take it", async () => {
  const waits = vi.spyOn(Socket.prototype, "setTimeout");
  onTestFinished(() => waits.mockRestore());
  const server = await aMailServer();
  expect(await sendTo(server.url)).toEqual({ outcome: "sent" });
  expect(server.of(mail.to)[0]?.head).toContain("Auto-Submitted: auto-generated");
  expect(Math.max(...waits.mock.calls.map(([ms]) => ms))).toBe(300_000);
});

test.each([
  ["https://pa.example.org:8443", "pa.example.org"],
  ["https://pa.example.org.", "pa.example.org"],
  ["http://localhost:3000", undefined],
  ["http://10.0.0.8:3000", undefined],
])("at %s the mail server is greeted by the host's name where it has a domain", async (publicUrl, name) => {
  const greetings: string[] = [];
  const server = await aMailServer({
    onMailFrom: (_, { hostNameAppearsAs }, answer) => {
      greetings.push(String(hostNameAppearsAs));
      answer();
    },
  });
  expect(await sendTo(server.url, publicUrl)).toEqual({ outcome: "sent" });
  expect(greetings).toEqual([name ?? expect.not.stringContaining("://")]);
});
