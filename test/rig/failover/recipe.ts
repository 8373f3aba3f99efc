import { parse } from "yaml";

type Part = Readonly<Record<string, unknown>>;

export type PatroniNode = {
  readonly name: string;
  /** Where its certificate, its authority's and its socket are. */
  readonly folder: string;
  readonly data: string;
  /** Of Postgres's programs. */
  readonly programs: string;
  readonly postgres: { readonly port: number; readonly reachedBy: number };
  readonly apiPort: number;
  readonly etcdPort: number;
  /** Whom it runs as: the socket lets in a user of this name alone. */
  readonly superuser: string;
  readonly password: string;
};

/** deploy/patroni/patroni.yml for a node on loopback: other names, addresses, folders and passwords, and nothing else. */
export function patroniConfig(file: string, node: PatroniNode): Part {
  const { name, folder, postgres, apiPort, etcdPort, password } = node;
  const text = file.replaceAll("/etc/patroni/", `${folder}/`).replaceAll('password: ""', `password: ${password}`);
  // Safe because the file is ours, and a test looks at all that changes.
  const config = parse(text) as Readonly<Record<"restapi" | "etcd3" | "postgresql", Part>>;
  const { authentication, parameters } = config.postgresql as Readonly<Record<string, Part>>;
  return {
    ...config,
    name,
    restapi: { ...config.restapi, listen: at(apiPort), connect_address: at(apiPort) },
    etcd3: { ...config.etcd3, hosts: [at(etcdPort)] },
    postgresql: {
      ...config.postgresql,
      listen: at(postgres.port),
      connect_address: at(postgres.reachedBy),
      data_dir: node.data,
      bin_dir: node.programs,
      pgpass: `${folder}/pgpass`,
      authentication: {
        ...authentication,
        superuser: { ...(authentication?.["superuser"] as Part), username: node.superuser },
      },
      parameters: { ...parameters, unix_socket_directories: folder },
    },
  };
}

type EtcdNode = {
  readonly folder: string;
  readonly data: string;
  readonly clients: number;
  readonly peers: number;
};

/** deploy/etcd/etcd.yml for one node on loopback, with the same care. */
export function etcdConfig(file: string, { folder, data, clients, peers }: EtcdNode): Part {
  // Safe because the file is ours.
  const config = parse(file.replaceAll("/etc/etcd/", `${folder}/`)) as Part & { readonly name: string };
  const [clientUrl, peerUrl] = [`https://${at(clients)}`, `https://${at(peers)}`];
  return {
    ...config,
    "data-dir": data,
    "listen-client-urls": clientUrl,
    "advertise-client-urls": clientUrl,
    "listen-peer-urls": peerUrl,
    "initial-advertise-peer-urls": peerUrl,
    "initial-cluster": `${config.name}=${peerUrl}`,
  };
}

const at = (port: number) => `127.0.0.1:${port}`;
