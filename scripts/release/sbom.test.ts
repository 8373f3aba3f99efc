import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { packagesThatRun, sbomOf } from "./release.mjs";

const reference = z.string().min(1);
const property = z.strictObject({ name: z.string(), value: z.string() });
const license = z.union([
  z.strictObject({ license: z.strictObject({ id: z.string() }) }),
  z.strictObject({ license: z.strictObject({ name: z.string() }) }),
  z.strictObject({ expression: z.string() }),
]);

/** A component as CycloneDX 1.5 has it (ECMA-424), of which npm writes these members. */
const component = z.strictObject({
  "bom-ref": reference,
  type: z.enum(["application", "framework", "library"]),
  name: reference,
  version: reference,
  scope: z.enum(["required", "optional", "excluded"]),
  author: z.string().optional(),
  description: z.string().optional(),
  purl: z.string().regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+/),
  properties: z.array(property),
  externalReferences: z.array(
    z.strictObject({ type: z.enum(["distribution", "vcs", "website", "issue-tracker"]), url: z.string() }),
  ),
  hashes: z
    .array(
      z.strictObject({
        alg: z.enum(["SHA-1", "SHA-256", "SHA-384", "SHA-512"]),
        content: z.string().regex(/^[0-9a-f]{40,128}$/),
      }),
    )
    .optional(),
  licenses: z.array(license).optional(),
});

const cycloneDx = z.strictObject({
  $schema: z.literal("http://cyclonedx.org/schema/bom-1.5.schema.json"),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: z.int().min(1),
  metadata: z.strictObject({
    timestamp: z.iso.datetime(),
    lifecycles: z.array(
      z.strictObject({ phase: z.enum(["design", "pre-build", "build", "post-build", "operations"]) }),
    ),
    tools: z.array(z.strictObject({ vendor: z.string(), name: z.string(), version: z.string() })),
    component,
  }),
  components: z.array(component),
  dependencies: z.array(z.strictObject({ ref: reference, dependsOn: z.array(reference) })),
});

test("the bill of materials is CycloneDX, names every package of a release and no other, and each that the program imports", () => {
  const packages = packagesThatRun();
  const sbom = cycloneDx.parse(sbomOf(packages));
  const names = sbom.components.map((each) => each["bom-ref"]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.toSorted()).toEqual([...new Set(packages.map(({ id }) => id))].toSorted());
  for (const { name, version } of sbom.components) expect(names).toContain(`${name}@${version}`);
  const known = new Set([sbom.metadata.component["bom-ref"], ...names]);
  for (const { ref, dependsOn } of sbom.dependencies)
    for (const each of [ref, ...dependsOn]) expect(known, ref).toContain(each);
  expect(sbom.metadata.component.name).toBe("prior-authorization");
  // Safe because the file is ours.
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
  const running = ["pg", "zod", "jose", "nodemailer", "next", "next-auth", "@prisma/client", "@opentelemetry/api"];
  for (const name of running) expect(names, name).toContain(`${name}@${dependencies[name]}`);
  // What Prisma's command brings for development.
  expect(names.filter((each) => /^(@electric-sql\/|@prisma\/dev@|effect@)/.test(each))).toEqual([]);
});
