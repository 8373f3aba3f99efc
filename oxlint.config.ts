import { defineConfig, type OxlintOverride } from "oxlint";

/** Which room of `lib` may use which others, by their verbs, models and `shared/`. */
const rooms = {
  platform: "",
  db: "platform access",
  access: "platform db task audit",
  task: "platform db access gate submission payer queue channel practice person audit",
  gate: "platform db access task payer practice person",
  submission: "platform db access task gate payer practice audit",
  payer: "platform db access task gate submission audit",
  queue: "platform db access task gate person audit",
  "change-request": "platform db access channel person practice audit",
  report: "platform db access task audit messages",
  channel: "platform db access task gate submission practice person audit a2a",
  practice: "platform db access task gate submission payer channel person audit",
  person: "platform db access task practice audit",
  audit: "platform db access task gate practice person",
  a2a: "platform db access task payer channel practice messages",
  developers: "a2a task payer messages",
  worker: "platform db access task gate submission payer channel practice person audit queue report",
  cli: "platform db access gate submission payer channel practice person audit messages",
  demo: "platform db access task gate submission queue channel practice person a2a worker",
} as const satisfies Record<string, string>;

/**
 * The stores that a room reads beside its own. A case is one row with rows of four rooms around it, which are read in one
 * statement and saved in one commit: those statements stay whole. Everything else goes over a room's `shared/`.
 */
const storesRead: Partial<Record<keyof typeof rooms, string>> = {
  task: "gate submission channel",
  gate: "task",
  submission: "task",
  queue: "task",
  channel: "task submission",
  a2a: "channel",
  worker: "task submission",
  demo: "task",
};

const tests = ["**/*.test.ts", "**/*.test.tsx"];

type Pattern = { group?: string[]; regex?: string; message: string; allowTypeImports?: boolean };

const parents: Pattern = { group: ["../**"], message: "Cross a folder by its # path." };
const framework: Pattern = {
  group: ["next", "next/**", "next-auth", "next-auth/**", "react", "server-only"],
  message: "Only pages and sign-in know the framework.",
};
const sql: Pattern = {
  group: ["@prisma/**", "pg"],
  message: "SQL and Prisma are spoken in lib/db and in store/ and shared/ of a room.",
};

/** The texts that every room uses: what is wrong with a field, why something is held, and what a code or a field is called. */
const basicTexts = ["#lib/messages/problems/**", "#lib/messages/reasons/**", "#lib/messages/labels/**"];

/** Pages and server actions. */
const verbsAlone: Pattern = {
  group: [
    ...["@prisma/**", "pg", "#lib/**/store/**", "#lib/**/shared/**", "#lib/db/**"],
    ...["#lib/payer/*", "#lib/payer/pas-fhir/**", "#lib/payer/service-review/**"],
    ...["#lib/worker/**", "#lib/cli/**", "#lib/demo/**", "#simulator/**", "#test/**"],
  ],
  message: "Pages call verbs; they never touch rows or a payer.",
};

const sealing: Pattern = { group: ["#lib/db/seal", "#lib/db/sealed"], message: "Stores seal and open values." };

/** `files` may import what none of the patterns matches; the last of several that name a file decides. */
function imports(files: string[], ...patterns: Pattern[]): OxlintOverride {
  return { files, excludeFiles: tests, rules: { "no-restricted-imports": ["error", { patterns }] } };
}

type RoomName = keyof typeof rooms;

function roomNames(text = ""): string[] {
  return text === "" ? [] : text.split(" ");
}

function storesOf(room: string): string[] {
  return [`#lib/${room}/store/**`, `#lib/${room}/*/store/**`];
}

function sharedOf(room: string): string[] {
  return [`#lib/${room}/shared/**`, `#lib/${room}/*/shared/**`];
}

function except(paths: string[]): string[] {
  return paths.map((path) => `!${path}`);
}

/**
 * A room uses the rooms of its list, and no store but its own and those it is said to read. What has SQL, `store/` for the
 * room alone and `shared/` for those that use it, is below the room's verbs. One pattern for all of it, in which the last line that names a path decides: between several patterns, what one
 * of them allows is allowed.
 */
function roomPatterns(room: RoomName, uses: string): { outside: Pattern[]; verb: Pattern[]; store: Pattern } {
  const found = basicTexts;
  const used = ["#*/**", ...except([...[room, ...roomNames(uses)].map((each) => `#lib/${each}/**`), ...found])];
  const foreignStores = room === "demo" ? [] : ["#lib/*/store/**", "#lib/*/*/store/**"];
  const readStores = except([room, ...roomNames(storesRead[room])].flatMap(storesOf));
  // A receipt is a model with parts of its own.
  const models = [`#lib/${room}/model/**`, `#lib/${room}/*/model/**`, "#lib/gate/receipt/**"];
  const verbs = [`#lib/${room}/**`, ...except([...models, ...storesOf(room), ...sharedOf(room)])];
  const client = room === "db" || room === "demo" ? [] : ["#lib/db/generated/**"];
  const message = `lib/${room} uses ${uses === "" ? "no other room" : uses}, by their verbs, models and shared/: see oxlint.config.ts.`;
  const outside = [parents, ...(room === "person" ? [] : [framework])];
  const verb = { group: [...used, ...foreignStores, ...readStores, ...client], message };
  return {
    outside,
    verb: client.length > 0 ? [sql, sealing, verb] : [verb],
    store: {
      group: [...used, ...foreignStores, ...readStores, ...verbs],
      message: `${message} A store takes models and stores alone.`,
    },
  };
}

function roomRules(room: RoomName) {
  const { outside, verb, store } = roomPatterns(room, rooms[room]);
  const folders = [...storesOf(room), ...sharedOf(room)].map((path) => path.slice(1));
  return [imports([`lib/${room}/**`], ...outside, ...verb), imports(folders, ...outside, store)];
}

/** A part of a room that also writes to a reader, and so uses the catalogs of texts. */
function writesTexts(folder: string, room: RoomName): OxlintOverride {
  const { outside, verb } = roomPatterns(room, `${rooms[room]} messages`);
  return imports([`lib/${folder}/**`], ...outside, ...verb);
}

export default defineConfig({
  plugins: ["typescript", "import", "react", "nextjs", "unicorn", "oxc", "jsx-a11y", "vitest", "node"],
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  categories: { correctness: "error" },
  ignorePatterns: [
    "node_modules/**",
    ".next/**",
    ".data/**",
    ".test/**",
    "lib/db/generated/**",
    "next-env.d.ts",
    "playwright-report/**",
    "test-results/**",
  ],
  rules: {
    eqeqeq: "error",
    "no-alert": "error",
    "no-console": "error",
    "no-var": "error",
    "prefer-const": "error",
    "no-restricted-properties": [
      "error",
      { object: "globalThis", property: "process", message: "Settings come from lib/platform/env.ts." },
    ],
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          { group: ["../**"], message: "Cross a folder by its # path." },
          {
            group: ["@prisma/client", "@prisma/client/**", "@prisma/adapter-pg", "#lib/db/generated/**"],
            message: "Only lib/db and store/ and shared/ of a room speak Prisma.",
          },
        ],
      },
    ],
    "max-lines": ["error", { max: 450, skipBlankLines: true, skipComments: true }],
    "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true, IIFEs: true }],
    "no-unused-vars": [
      "error",
      {
        argsIgnorePattern: "^_",
        varsIgnorePattern: "^_",
        destructuredArrayIgnorePattern: "^_",
        caughtErrorsIgnorePattern: "^_",
      },
    ],
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "node/no-process-env": "error",
    "typescript/consistent-type-definitions": ["error", "type"],
    "typescript/consistent-type-imports": "error",
    "typescript/no-deprecated": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-misused-spread": ["error", { allow: ["string"] }],
    "typescript/no-non-null-assertion": "error",
    "typescript/no-unnecessary-type-assertion": "error",
    "typescript/only-throw-error": "error",
    "typescript/switch-exhaustiveness-check": [
      "error",
      { allowDefaultCaseForExhaustiveSwitch: false, requireDefaultForNonUnion: true },
    ],
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
    "unicorn/no-useless-spread": "off",
    "jsx-a11y/aria-role": ["error", { ignoreNonDOM: true }],
    "jsx-a11y/no-noninteractive-tabindex": ["error", { roles: ["region"], tags: [] }],
    "jsx-a11y/prefer-tag-over-role": "off",
    "react/purity": "off",
    "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "expect.*", "fc.assert"] }],
    "vitest/no-conditional-expect": "off",
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
  },
  overrides: [
    imports(["lib/**"], {
      group: ["*", "!./**"],
      message: "Give this room its place among the others: oxlint.config.ts.",
    }),
    // Safe because these are its own keys.
    ...(Object.keys(rooms) as RoomName[]).flatMap(roomRules),
    writesTexts("person/mail", "person"),
    imports(
      ["lib/messages/**"],
      parents,
      framework,
      {
        group: ["#*/**", ...except(["#lib/messages/**", "#lib/*/model/**", "#lib/*/*/model/**"])],
        allowTypeImports: true,
        message: "A catalog of texts takes values from models, and types from verbs.",
      },
      {
        regex: "^(#lib/([^/]+/)+(store|shared)/|#lib/db/|@prisma/|pg$|node:)",
        message: "A catalog of texts does no I/O.",
      },
    ),
    imports(["lib/messages/{problems,reasons,labels}/**"], parents, framework, {
      group: ["*", "!./**"],
      allowTypeImports: true,
      message: "The texts that every room uses know nothing but the types of what they name.",
    }),
    imports(["lib/*/model/**"], {
      group: [
        "*",
        ...except(["./**", "zod", "canonicalize", "node:crypto", "#lib/*/model/**"]),
        ...except(basicTexts),
        ...except(
          ["network-of", "now", "result", "visible-length", "zoned-time"].map((file) => `#lib/platform/${file}`),
        ),
      ],
      message: "A model is pure: zod, other models, and the words for what it finds wrong.",
    }),
    imports(
      ["lib/payer/*.ts", "lib/payer/pas-fhir/**", "lib/payer/service-review/**"],
      parents,
      {
        group: [
          "#*/**",
          ...except(["#lib/task/model/**", "#lib/payer/**", "#lib/platform/**"]),
          ...except(basicTexts),
          "#lib/payer/inbox/**",
        ],
        message: "A connector knows models and its wire, never the database.",
      },
      framework,
      sql,
    ),
    imports(["lib/platform/process/**", "lib/platform/outbound/**"], parents, {
      group: ["#*/**", ...except(["#lib/platform/process/**", "#lib/platform/outbound/**", "#lib/platform/env"])],
      message: "What every process needs knows only Node.",
    }),
    imports(["lib/gate/receipt/**"], parents, {
      group: [
        "#*/**",
        ...except(["#lib/gate/receipt/**", "#lib/task/model/**", "#lib/platform/signing-keys", "#lib/platform/result"]),
        ...except(["#lib/messages/problems/receipt"]),
      ],
      message: "A receipt is checked without the service.",
    }),
    imports(
      ["app/**", "server.ts", "serving.ts", "proxy.ts"],
      {
        regex: "^[.][.]/[^/]+/.*/|^[.][.]/[.][.]/",
        message: "A page takes the parts of its own route (../part/file.ts); what two routes share is in components.",
      },
      verbsAlone,
    ),
    imports(
      ["components/**"],
      {
        group: [
          "*",
          ...except(["./**", "react", "react-dom", "next/**", "@simplewebauthn/browser", "lucide", "zod"]),
          ...except(["react-aria-components/**", "#components/**", "#lib/*/model/**"]),
          ...except([
            "#lib/messages/**",
            "#lib/person/session/note-refusal",
            "#lib/person/session/person",
            "#lib/person/session/session-left",
            "#lib/person/session/visitor",
          ]),
        ],
        allowTypeImports: true,
        message:
          "Components are given what they show; from the verbs they take types alone, from the models words and types.",
      },
      {
        regex:
          "^([.][.]/|@prisma/|pg$|#(simulator|test)/|#lib/(a2a|cli|db|demo|worker)/|#lib/[^/]+/(.+/)?(store|shared)/)",
        message: "Components take types from the models and the verbs alone.",
      },
    ),
    imports(["components/**/{actions,proof-actions}.ts"], parents, verbsAlone),
    {
      files: ["simulator/**"],
      excludeFiles: ["**/*.test.ts"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: [
                  "*",
                  "!./**",
                  "!node:*",
                  "!node:*/**",
                  "!pino",
                  "!zod",
                  "!#simulator/**",
                  "!#lib/platform/process/**",
                  "!#lib/platform/log",
                  "!#lib/platform/printed-lines",
                ],
                message: "The simulator shares no rule with what it tests.",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["simulator/core/**"],
      excludeFiles: ["**/*.test.ts"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              { group: ["*", "!./**", "!node:*", "!node:*/**"], message: "The payer knows nothing of the wires." },
            ],
          },
        ],
      },
    },
    { files: ["scripts/**", "test/**", "e2e/**", "bench/**"], rules: { "no-restricted-imports": "off" } },
    {
      files: ["agent/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              { group: ["../**", "#*/**"], message: "The example agent knows only what every agent is told." },
            ],
          },
        ],
      },
    },
    {
      files: [
        "lib/platform/env.ts",
        "lib/platform/process/**",
        "instrumentation.ts",
        "scripts/**",
        "simulator/**",
        "test/**",
        "e2e/**",
        "bench/**",
        "*.config.*",
        "**/*.test.ts",
      ],
      rules: { "node/no-process-env": "off" },
    },
    { files: ["agent/**", "scripts/**", "test/**", "e2e/**", "bench/**"], rules: { "no-console": "off" } },
    {
      files: ["app/**", "components/**"],
      rules: { "react/exhaustive-deps": "error", "react/rules-of-hooks": "error" },
    },
    {
      files: ["app/**", "*.config.*", "test/support/database/cluster.ts"],
      rules: { "import/no-default-export": "off" },
    },
    { files: ["**/*.test.ts", "**/*.test.tsx", "e2e/**"], rules: { "max-lines-per-function": "off" } },
    { files: ["e2e/**"], rules: { "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }] } },
    // It stands in the shell of every page, none of which could give it what it shows, and takes back by itself.
    { files: ["components/undo/**"], rules: { "no-restricted-imports": "off" } },
    { files: ["e2e/**", "bench/**", "test/**"], rules: { "typescript/no-deprecated": "off" } },
    { files: ["lib/person/session/options.ts"], rules: { "typescript/consistent-type-definitions": "off" } },
    {
      files: ["components/list/table.tsx", "components/list/row.tsx"],
      rules: { "jsx-a11y/no-interactive-element-to-noninteractive-role": "off", "jsx-a11y/no-redundant-roles": "off" },
    },
    { files: ["app/not-found.tsx", "components/shell/trouble.tsx"], rules: { "nextjs/no-html-link-for-pages": "off" } },
  ],
});
