import type { Socket } from 'node:net';
import { Client, ClientConfig } from 'pg';
import { urlsOfHosts } from '#platform/config';

/** Options of `pg` that say which server a client connects to: `new Pool({ ...serverOf(url), max: 4 })`. */
export interface Server {
  readonly connectionString: string;
  readonly Client: typeof Client;
}

/** What the first host that is a primary waits for the others, in ms: one of them may have taken over from it. */
const graceMs = 300;
const answerMs = 2_000;
/** How long a primary that was found is taken for the primary. Each connection checks that its server takes writes. */
const foundForMs = 1_000;
/** How long after a search without a result the next one begins. */
const pauseMs = 100;

const servers = new Map<string, Server>();

/**
 * The server that a URL names. A URL may name several hosts, as for libpq: `postgres://user:password@a:5432,b:5432/name`.
 * Then each connection goes to the one of them that is the primary at that time. Connections fail with
 * `NoPrimaryError` while none is.
 */
export function serverOf(url: string): Server {
  const urls = urlsOfHosts(url);
  const [first = url] = urls;
  if (urls.length === 1) return { connectionString: first, Client };
  let server = servers.get(url);
  if (server === undefined) servers.set(url, (server = { connectionString: first, Client: clientOf(urls) }));
  return server;
}

/** A client for the server that a URL names. */
export function clientFor(url: string, config: ClientConfig): Client {
  const { Client, connectionString } = serverOf(url);
  return new Client({ ...config, connectionString });
}

/** None of the servers takes writes: none can be reached, or the standby has not taken over yet. */
export class NoPrimaryError extends Error {
  /** SQLSTATE of a server that is starting (cannot_connect_now). */
  readonly code = '57P03';

  constructor(causes: readonly unknown[]) {
    const reasons = causes.map((cause) => (cause instanceof Error && cause.message) || 'it is a standby');
    super(`None of the PostgreSQL servers is a primary: ${reasons.join('; ')}`);
  }
}

interface Primary {
  readonly host: string;
  readonly port: number;
  /** Grows with each standby that takes over. A primary of an earlier one has been replaced, and does not know it. */
  readonly timeline: number;
}

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

function clientOf(urls: readonly string[]): typeof Client {
  const search = new PrimarySearch(urls);
  return class ClientOfPrimary extends Client {
    private isOver = false;

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      const connected = this.connectToPrimary();
      if (callback === undefined) return connected;
      connected.then(
        () => process.nextTick(callback, null, this),
        (error: Error) => process.nextTick(callback, error),
      );
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | void {
      this.isOver = true;
      return callback === undefined ? super.end() : super.end(callback);
    }

    private async connectToPrimary(): Promise<Client> {
      const { host, port } = await search.find();
      const { connection } = this as unknown as { connection: NodeJS.EventEmitter & { stream: Socket } };
      // A client that was given up during the search would connect all the same.
      if (this.isOver || connection.stream.destroyed) throw new Error('Connection terminated');
      Object.assign(this, { host, port });
      let isStandby = false;
      connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, unknown>) => {
        if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on';
      });
      try {
        await super.connect();
        if (isStandby) throw new NoPrimaryError([undefined]);
        return this;
      } catch (error) {
        search.forget();
        if (isStandby) void this.end().catch(() => undefined);
        throw error;
      }
    }
  };
}

/** Finds the primary among several servers. Callers that come during a search share it. */
class PrimarySearch {
  private found: { readonly primary: Primary; readonly at: number } | undefined;
  private searching: Promise<Primary> | undefined;
  private failure: { readonly error: NoPrimaryError; readonly at: number } | undefined;
  /** The latest timeline seen. */
  private timeline = 0;

  constructor(private readonly urls: readonly string[]) {}

  find(): Promise<Primary> {
    const now = performance.now();
    if (this.found !== undefined && now - this.found.at < foundForMs) return Promise.resolve(this.found.primary);
    if (this.failure !== undefined && now - this.failure.at < pauseMs) return Promise.reject(this.failure.error);
    return (this.searching ??= this.search().finally(() => (this.searching = undefined)));
  }

  /** The server that was found cannot be used. */
  forget(): void {
    this.found = undefined;
  }

  private async search(): Promise<Primary> {
    const { primaries, causes } = await askAll(this.urls);
    const [latest] = primaries.sort((a, b) => b.timeline - a.timeline);
    const at = performance.now();
    if (latest === undefined || latest.timeline < this.timeline) {
      this.failure = { error: new NoPrimaryError(causes), at };
      throw this.failure.error;
    }
    this.timeline = latest.timeline;
    this.found = { primary: latest, at };
    return latest;
  }
}

interface Answers {
  readonly primaries: Primary[];
  readonly causes: unknown[];
}

/** Waits for all servers, but after the answer of a primary only for a moment. */
async function askAll(urls: readonly string[]): Promise<Answers> {
  const answers: Answers = { primaries: [], causes: [] };
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    const all = urls.map(async (url) => {
      const primary = await ask(url);
      if (primary === undefined) return void answers.causes.push(undefined);
      answers.primaries.push(primary);
      timer ??= setTimeout(resolve, graceMs);
    });
    const noted = all.map((one) => one.catch((error: unknown) => void answers.causes.push(error)));
    void Promise.all(noted).then(() => resolve());
  });
  clearTimeout(timer);
  return answers;
}

/** Undefined if the server is a standby. */
async function ask(url: string): Promise<Primary | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: 'postrider-primary',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  // Without a listener, losing the connection would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The name of a WAL file begins with the timeline, in hexadecimal digits.
    const { rows } = await client.query<{ timeline: string | null }>(
      `SELECT CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`,
    );
    const timeline = rows[0]?.timeline ?? undefined;
    return timeline === undefined
      ? undefined
      : { host: client.host, port: client.port, timeline: parseInt(timeline, 16) };
  } finally {
    void client.end().catch(() => undefined);
  }
}
