import { expect, test } from "vitest";
import { settingNames } from "#lib/platform/env";
import { readSettings } from "./environment.mjs";
import { environmentOf } from "./process-settings.mjs";

const all = Object.fromEntries(
  [...settingNames, "DATABASE_URL", "AWS_SECRET_ACCESS_KEY"].map((name) => [name, "given"]),
);
const secret = /SECRET|KEY|PEPPER|PASSWORD|DATABASE_URL|SMTP_URL/;

/** What of all there is says something that whoever takes the process over should not have. */
const secretsOf = (name: "server" | "worker" | "simulator" | "operator") =>
  Object.keys(environmentOf(name, all))
    .filter((key) => secret.test(key) && !/_PAST_KEYS|_FILE$/.test(key))
    .toSorted();

test("each process is given the secrets it needs and no other", () => {
  expect(secretsOf("server")).toEqual([
    ...[
      "APP_DATABASE_URL",
      "ARCHIVE_ACCESS_KEY_ID",
      "ARCHIVE_SECRET_ACCESS_KEY",
      "CHANNEL_KEY_PEPPER",
      "LISTEN_DATABASE_URL",
      "NEXTAUTH_SECRET",
      "OIDC_CLIENT_SECRET",
      "RECEIPT_SIGNING_KEY",
    ],
    ...["SEALING_KEY", "SMTP_URL"],
  ]);
  expect(secretsOf("worker")).toEqual([
    ...["APP_DATABASE_URL", "ARCHIVE_ACCESS_KEY_ID", "ARCHIVE_SECRET_ACCESS_KEY", "AUDIT_SIGNING_KEY"],
    ...["SEALING_KEY", "SMTP_URL"],
  ]);
  expect(secretsOf("simulator")).toEqual([]);
  expect(secretsOf("operator")).not.toContain("NEXTAUTH_SECRET");
});

test("each setting there is reaches a process of the service", () => {
  const given = new Set((["server", "worker"] as const).flatMap((name) => Object.keys(environmentOf(name, all))));
  expect(settingNames.filter((name) => !given.has(name))).toEqual([]);
});

test("a start that is unsafe is refused before anything is opened, and says why", () => {
  const mode = { NODE_ENV: "production" } as const;
  const demo = { ...mode, HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" };
  expect(() => readSettings("/nowhere", demo)).toThrow(
    /HOST is 0\.0\.0\.0, which others reach.*\nHOST is 0\.0\.0\.0, and the demo/,
  );
  const own = { ...mode, DATABASE_URL: "postgresql://owner:password@db.example/pa", NEXTAUTH_SECRET: "short" };
  expect(() => readSettings("/nowhere", own)).toThrow(
    /DATABASE_URL names a database .*\nNEXTAUTH_SECRET has fewer than 32/,
  );
});
