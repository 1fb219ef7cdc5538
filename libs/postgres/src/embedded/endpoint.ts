import { access, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RunAs } from './run-as.js';

/** The address on which PostgreSQL listens. Only programs on this machine can connect. */
export interface Endpoint {
  readonly settings: Readonly<Record<string, string>>;
  url(database: string, password: string): string;
  /** Removes temporary files. To be called after PostgreSQL has ended. */
  remove(): Promise<void>;
}

export const DATABASE_USER = 'postrider';

/** Part of the name of the socket file. A Unix socket uses no port. */
const SOCKET_PORT = 5432;

export const socketFile = `.s.PGSQL.${SOCKET_PORT}`;

/** Below the limits of the kernels: 107 bytes on Linux and 103 on macOS, including the end of the string. */
const MAX_SOCKET_PATH_BYTES = 99;

/**
 * Selects a Unix socket in the data directory, or in a private temporary directory where that path is too long, or else
 * a port on 127.0.0.1.
 *
 * `SELECT 1` on one `pg` connection, measured on 2 cores: 79 us over the socket and 123 us over TCP on an idle machine,
 * 201 to 221 us and 221 to 253 us with both cores busy.
 */
export async function chooseEndpoint(dataDir: string, runAs: RunAs): Promise<Endpoint> {
  const inDataDir = socketDirectory(dataDir);
  if (fits(inDataDir)) {
    await mkdir(inDataDir, { recursive: true, mode: 0o700 });
    await runAs.own(inDataDir);
    return socketEndpoint(inDataDir, async () => {});
  }
  if (fits(join(tmpdir(), 'postrider-XXXXXX'))) {
    const temporary = await mkdtemp(join(tmpdir(), 'postrider-'));
    await runAs.own(temporary);
    return socketEndpoint(temporary, () => rm(temporary, { recursive: true, force: true }));
  }
  return tcpEndpoint(await freePort());
}

export function socketDirectory(dataDir: string): string {
  return join(dataDir, 'postgres-socket');
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, socketFile)) <= MAX_SOCKET_PATH_BYTES;
}

/**
 * `pg` and libpq use the host of the query part and ignore `localhost`. A URL without a host would work too, but `new URL`
 * refuses it if it has a user, and callers could not replace the database in it.
 */
function socketEndpoint(directory: string, remove: () => Promise<void>): Endpoint {
  return {
    settings: {
      listen_addresses: '',
      unix_socket_directories: directory,
      unix_socket_permissions: '0700',
      port: `${SOCKET_PORT}`,
    },
    url: (database, password) => urlOverSocket(directory, database, password),
    remove,
  };
}

export function urlOverSocket(directory: string, database: string, password: string): string {
  const host = encodeURIComponent(directory);
  return `${address(password, SOCKET_PORT, 'localhost')}/${database}?host=${host}&sslmode=disable`;
}

function tcpEndpoint(port: number): Endpoint {
  return {
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${port}` },
    url: (database, password) => `${address(password, port, '127.0.0.1')}/${database}?sslmode=disable`,
    remove: async () => {},
  };
}

function address(password: string, port: number, host: string): string {
  return `postgres://${DATABASE_USER}:${encodeURIComponent(password)}@${host}:${port}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** The URL of the server that another process runs on this data directory. Undefined if its socket is not in it. */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const root = resolve(dataDir);
  const directory = socketDirectory(root);
  try {
    await access(join(directory, socketFile));
    const password = (await readFile(join(root, 'postgres-password'), 'utf8')).trim();
    return urlOverSocket(directory, 'postrider', password);
  } catch {
    return undefined;
  }
}
