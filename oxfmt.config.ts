import { defineConfig } from "oxfmt";

export default defineConfig({
  printWidth: 120,
  sortPackageJson: false,
  ignorePatterns: [
    "lib/db/generated/",
    "next-env.d.ts",
    "package-lock.json",
    "bench/out/",

    // Kept byte for byte as their publishers wrote them.
    "test/vectors/blns/",
    "test/vectors/json-test-suite/",
    "test/vectors/pas/",
    "test/contract/*.json",

    // Go templates, which are no YAML yet.
    "deploy/helm/prior-authorization/templates/",
  ],
});
