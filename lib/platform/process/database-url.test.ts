import { expect, test } from "vitest";
import { databaseUrlProblem, databaseUrls, withLogin } from "./database-url.ts";

const hrefs = (text: string) => databaseUrls(text)?.map(({ href }) => href);

test.each([
  ["postgresql://u:p@one/db", ["postgresql://u:p@one/db"]],
  ["postgres://one:5433/db?sslmode=verify-full", ["postgres://one:5433/db?sslmode=verify-full"]],
  [
    "postgresql://u:p%40@one:5432,two:5433,[::1]:5434/db?sslmode=require&target_session_attrs=read-write",
    [
      "postgresql://u:p%40@one:5432/db?sslmode=require",
      "postgresql://u:p%40@two:5433/db?sslmode=require",
      "postgresql://u:p%40@[::1]:5434/db?sslmode=require",
    ],
  ],
  ["postgresql:///db?host=/run/postgresql", ["postgresql:///db?host=/run/postgresql"]],
  ["mysql://one/db", undefined],
  ["postgresql://one:port/db", undefined],
  ["postgresql://one:1,two:x/db", undefined],
])("the hosts of %s", (text, urls) => {
  expect(hrefs(text)).toEqual(urls);
});

test("a URL that asks for a standby, or is none, is refused with what to write", () => {
  expect(databaseUrlProblem("postgresql://one,two/db?target_session_attrs=primary")).toBeUndefined();
  expect(databaseUrlProblem("postgresql://one,two/db?target_session_attrs=prefer-standby")).toContain("read-write");
  expect(databaseUrlProblem("one,two/db")).toContain("postgresql://");
});

test("a login is put into a URL with several hosts, or without a login before", () => {
  const login = { user: "a b", password: "p@/:" };
  expect(withLogin("postgresql://u:p@one:1,two:2/db?x=y", login)).toBe(
    "postgresql://a%20b:p%40%2F%3A@one:1,two:2/db?x=y",
  );
  expect(withLogin("postgres://one/db", login)).toBe("postgres://a%20b:p%40%2F%3A@one/db");
});
