import S3rver from "@20minutes/s3rver";

// An object store for tests, in a process of its own. It says its port, and ends with the one that started it.
const [, , directory, bucket] = process.argv;
const server = new S3rver({
  ...{ address: "127.0.0.1", port: 0, silent: true, directory, vhostBuckets: false },
  configureBuckets: [{ name: bucket, configs: [] }],
});
const { port } = await server.run();
process.on("disconnect", () => process.exit());
process.send?.(port);
