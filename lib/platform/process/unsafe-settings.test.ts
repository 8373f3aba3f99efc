import { expect, test } from "vitest";
import { unsafeSettings, type StartSettings } from "./unsafe-settings.ts";

const remote = "postgresql://app:password@db.example:5432/prior_auth";
const here = "postgresql://app:password@127.0.0.1:5432/prior_auth";

test.each<[string, StartSettings, readonly string[]]>([
  ["pages in clear beyond this machine", { HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" }, ["HOST"]],
  ["pages in clear at an address of a network", { HOST: "192.0.2.1", PUBLIC_URL: "http://127.0.0.1" }, ["HOST"]],
  ["pages in clear on IPv6", { HOST: "::", PUBLIC_URL: "http://localhost:3000" }, ["HOST"]],
  ["a public address without TLS", { PUBLIC_URL: "http://desk.example" }, ["PUBLIC_URL"]],
  ["the demo beyond this machine", { DEMO: "1", HOST: "0.0.0.0", PUBLIC_URL: "https://localhost" }, ["HOST"]],
  ["the demo behind a public name", { DEMO: "1", PUBLIC_URL: "https://desk.example" }, ["PUBLIC_URL"]],
  ["a database elsewhere in clear", { DATABASE_URL: remote, APP_DATABASE_URL: here }, ["DATABASE_URL"]],
  ["one whose TLS may be left out", { APP_DATABASE_URL: `${remote}?sslmode=prefer` }, ["APP_DATABASE_URL"]],
  ["one whose certificate nobody checks", { APP_DATABASE_URL: `${remote}?sslmode=no-verify` }, ["APP_DATABASE_URL"]],
  [
    "the same as libpq says it",
    { APP_DATABASE_URL: `${remote}?sslmode=require&uselibpqcompat=true` },
    ["APP_DATABASE_URL"],
  ],
  ["one that another host hides", { APP_DATABASE_URL: `${here}?host=db.example` }, ["APP_DATABASE_URL"]],
  [
    "one of several hosts elsewhere in clear",
    { APP_DATABASE_URL: "postgresql://app:password@127.0.0.1:5432,db.example:5432/prior_auth" },
    ["APP_DATABASE_URL"],
  ],
  ["a secret that can be guessed", { NEXTAUTH_SECRET: "x".repeat(31) }, ["NEXTAUTH_SECRET"]],
])("a start is refused with %s", (_, settings, names) => {
  expect(unsafeSettings(settings).map(({ name }) => name)).toEqual(names);
});

test.each<[string, StartSettings]>([
  ["nothing set", {}],
  ["the demo here", { DEMO: "1", HOST: "127.0.0.1", PUBLIC_URL: "http://localhost:3000", APP_DATABASE_URL: here }],
  ["IPv6 here", { HOST: "::1", PUBLIC_URL: "http://[::1]:3000" }],
  ["a proxy with TLS in front", { HOST: "0.0.0.0", PUBLIC_URL: "https://desk.example", APP_DATABASE_URL: here }],
  ["a database elsewhere over TLS", { APP_DATABASE_URL: `${remote}?sslmode=verify-full` }],
  ["a database on a socket", { APP_DATABASE_URL: "postgresql://app@/prior_auth?host=/run/postgresql" }],
  ["a secret of 32 random bytes", { NEXTAUTH_SECRET: "x".repeat(44) }],
])("a start is safe with %s", (_, settings) => {
  expect(unsafeSettings(settings)).toEqual([]);
});
