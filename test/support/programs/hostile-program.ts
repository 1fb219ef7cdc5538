import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { addAttackingTeam } from '../clients/attacking-team.js';
import { Bystanders, Calm, watchBystanders } from '../clients/bystanders.js';
import { DnsServer } from '../servers/dns-server.js';
import { ProgramProcess, startProgramProcess } from './program-process.js';
import { testApiKey, testEnvironment, testSender } from './program.js';
import { SmtpSink } from '../servers/smtp-sink.js';
import { createTestDatabase, TestDatabase } from '../servers/test-database.js';

const goodAddress = '127.0.0.2';
/** Timeout of one request of the attacker, and of the program's stop. */
const timeoutMs = 30_000;

/**
 * The built program in a separate process, so that an input which freezes or kills it does not end the test. Two customers
 * share it: one sends ordinary mail to a working host, the other one attacks.
 */
export interface HostileProgram {
  readonly program: ProgramProcess;
  readonly database: TestDatabase;
  /** Answers all DNS questions of the program. */
  readonly dns: DnsServer;
  /** Port on which the program reaches every mail host. A hostile host listens there on its own loopback address. */
  readonly mxPort: number;
  /** Full-access key of the team that attacks. */
  readonly attackerKey: string;
  /** An address that the attacking team may send from. */
  readonly attackerSender: string;
  /** Sends a request with the attacker's API key, unless the headers have another one. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Runs the attack while the ordinary customer continues its work, and returns that customer's measurements. */
  during<T>(attack: () => Promise<T>): Promise<Calm<T>>;
  /** Queries the program's database. */
  readonly query: <T>(text: string, values?: unknown[]) => Promise<T[]>;
  stop(): Promise<void>;
}

export async function startHostileProgram(environment: Readonly<Record<string, string>> = {}): Promise<HostileProgram> {
  const [database, dns, goodHost, dataDir] = await Promise.all([
    createTestDatabase(),
    DnsServer.listen(),
    SmtpSink.listen({ keep: true, host: goodAddress }),
    mkdtemp(join(tmpdir(), 'postrider-hostile-')),
  ]);
  dns.mx('good.test', [10, 'mx.good.test']).a('mx.good.test', goodAddress);
  const program = await startProgramProcess({
    ...testEnvironment(database, dataDir),
    DELIVERY_TRANSPORT: 'mx',
    MX_PORT: String(goodHost.port),
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    DNS_SERVERS: dns.address,
    HELO_NAME: 'client.test',
    HOST_NAME: 'mail.service.test',
    RATE_LIMIT_PER_SECOND: '100000',
    ...environment,
  });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const query = async <T>(text: string, values?: unknown[]): Promise<T[]> => (await client.query(text, values)).rows;
  const attacker = await addAttackingTeam({ url: program.url, dns, query });
  const request: HostileProgram['request'] = (path, init = {}) =>
    fetch(`${program.url}${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      ...init,
      headers: { authorization: `Bearer ${attacker.apiKey}`, 'content-type': 'application/json', ...init.headers },
    });
  const bystanders: Bystanders = { url: program.url, apiKey: testApiKey, sender: testSender, host: goodHost };
  await watchBystanders(bystanders, program.pid, () => delay(500));
  return {
    program,
    database,
    dns,
    mxPort: goodHost.port,
    attackerKey: attacker.apiKey,
    attackerSender: attacker.sender,
    request,
    query,
    during: (attack) => watchBystanders(bystanders, program.pid, attack),
    stop: async () => {
      // A program that an attack has frozen does not react to a signal.
      const stopped = await Promise.race([program.stop(), delay(timeoutMs, 'frozen' as const, { ref: false })]);
      if (stopped === 'frozen') await program.kill();
      await client.end();
      await Promise.all([dns.close(), goodHost.close(), rm(dataDir, { recursive: true, force: true })]);
      await database.drop();
    },
  };
}
