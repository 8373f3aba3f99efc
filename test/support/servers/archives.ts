import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createObjectStore, type ObjectStore } from "#lib/db/object-store";
import { listening } from "#test/support/payer/pas/listen";

const bucket = "closed-cases";

/** What the server of tests knows everybody as. */
const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" } as const;

/** An object store over a real socket, in a process of its own. */
export type TestArchive = {
  readonly store: ObjectStore;
  /** The same server, asked for a bucket that it does not have. */
  readonly withoutBucket: ObjectStore;
  /** The settings that name it. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of all objects. */
  readonly objects: () => readonly string[];
  /** Changes one byte of an object, or takes it away. */
  readonly damage: (name: string, how: "change" | "remove") => void;
  /** Takes connections and answers nothing, until it is called with false. */
  readonly hush: (isQuiet: boolean) => void;
  readonly stop: () => Promise<void>;
};

/** Starts one; the caller stops it. */
export async function anArchive(prefix = "pa/"): Promise<TestArchive> {
  const directory = mkdtempSync(join(tmpdir(), "archive-"));
  const child = fork("test/support/servers/object-server.mjs", [directory, bucket], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [port] = (await once(child, "message")) as [number];
  const endpoint = `http://127.0.0.1:${port}`;
  const base = join(directory, bucket, prefix);
  const fileOf = (name: string) => join(base, `${name}._S3rver_object`);
  const of = { endpoint, region: "us-east-1", prefix, ...keys };
  return {
    store: createObjectStore({ ...of, bucket }),
    withoutBucket: createObjectStore({ ...of, bucket: "another" }),
    env: {
      ARCHIVE_ENDPOINT: endpoint,
      ARCHIVE_BUCKET: bucket,
      ARCHIVE_ACCESS_KEY_ID: keys.accessKeyId,
      ARCHIVE_SECRET_ACCESS_KEY: keys.secretAccessKey,
      ARCHIVE_PREFIX: prefix,
    },
    objects: () =>
      (existsSync(base) ? readdirSync(base, { recursive: true, encoding: "utf8" }) : []).flatMap((file) =>
        file.endsWith("._S3rver_object") ? [file.replace("._S3rver_object", "")] : [],
      ),
    damage: (name, how) => {
      if (how === "remove") return rmSync(fileOf(name));
      const bytes = readFileSync(fileOf(name));
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      writeFileSync(fileOf(name), bytes);
    },
    hush: (isQuiet) => void child.kill(isQuiet ? "SIGSTOP" : "SIGCONT"),
    stop: async () => {
      child.kill("SIGCONT");
      await ended(child);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, "exit");
}

/** One that answers everything with this status; `close` when done. */
export async function aFailingArchive(
  status: number,
): Promise<{ readonly store: ObjectStore; readonly server: Server }> {
  const server = createServer((_, response) => response.writeHead(status).end());
  const endpoint = await listening(server);
  return { store: createObjectStore({ endpoint, bucket, region: "us-east-1", prefix: "", ...keys }), server };
}

/** One at a port where nobody listens. */
export const noArchive = (): ObjectStore =>
  createObjectStore({ endpoint: "http://127.0.0.1:9", bucket, region: "us-east-1", prefix: "", ...keys });
