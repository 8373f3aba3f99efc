import { readFileSync } from "node:fs";

/** The bytes of an official example, such as `2.2.1/Bundle-ErrorResponseBundleExample`. */
export function exampleBytes(name: string): Buffer {
  return readFileSync(new URL(`../../../vectors/pas/${name}.json`, import.meta.url));
}

/** An official example as a JSON value nobody vouches for. */
export function example(name: string): unknown {
  return JSON.parse(exampleBytes(name).toString("utf8"));
}
