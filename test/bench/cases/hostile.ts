import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { addAttackingTeam, AttackingTeam } from '../../support/clients/attacking-team.js';
import { DnsServer } from '../../support/servers/dns-server.js';
import { Attack } from '../attack/attack.js';
import { BenchCase, BenchSettings, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { singleSends } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { ServerProcess, startServer } from '../server-process.js';
import { Sink } from '../sink.js';

const silentHosts = 1_000;
const uploads = 100;
const hostileKeys = 50;
/** Of each of six kinds of read. */
const readers = 10;
const attackersContacts = 100_000;

const silentAddresses = Array.from({ length: silentHosts }, (_, n) => `127.3.${n >> 7}.${(n & 127) + 1}`);

/**
 * Single sends of an ordinary customer to a working host, alone and then during an attack: mail for a thousand silent
 * hosts, a hundred slow uploads of 40 MB, fifty keys that send input made to freeze or crash the program, and sixty
 * readers who search, count, list and render what is expensive.
 */
export const hostileCase: BenchCase = {
  name: 'hostile',
  open: async (settings) => {
    const sink = await Sink.start();
    const dns = await DnsServer.listen();
    dns.mx('sink.test', [10, 'mx.sink.test']).a('mx.sink.test', '127.0.0.1');
    for (const [host, address] of silentAddresses.entries()) {
      dns.mx(`silent${host}.test`, [10, `mx.silent${host}.test`]).a(`mx.silent${host}.test`, address);
    }
    const server = await startServer({
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(sink.port),
      DNS_SERVERS: dns.address,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'bench.test',
      HOST_NAME: 'mail.bench.test',
    });
    const team = await attackingTeam(server, dns);
    await sends(server, sink, 'warm-up', { ...settings, messages: Math.ceil(settings.messages / 4) });
    return {
      measure: async () => {
        const alone = await sends(server, sink, 'undisturbed', settings);
        const attack = await Attack.start({
          ...team,
          address: team.sender.replace(/^.*<|>$/g, ''),
          httpPort: server.port,
          smtpPort: server.smtpPort,
          mxPort: sink.port,
          silentAddresses,
          uploads,
          hostileKeys,
          readers,
        });
        try {
          writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
          const attacked = await sends(server, sink, 'under attack', settings);
          const memory = { name: 'memory under attack', value: peakMemoryMb(server.pid), unit: 'MB' };
          return [alone, attacked, memory];
        } finally {
          await attack.stop();
        }
      },
      close: async () => {
        await server.stop();
        await sink.stop();
        await dns.close();
      },
    };
  },
};

async function attackingTeam(server: ServerProcess, dns: DnsServer): Promise<AttackingTeam> {
  const client = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
  await client.connect();
  try {
    const query = (text: string, values: unknown[]): Promise<unknown> => client.query(text, values);
    const team = await addAttackingTeam({ url: `http://127.0.0.1:${server.port}`, dns, query });
    await query(
      `INSERT INTO contacts (id, team_id, email, first_name, unsubscribed, created_at, updated_at)
       SELECT uuidv7(), t.id, 'a' || n || '@x.test', 'Ada', false, now(), now()
       FROM teams t, generate_series(1, $1::int) n WHERE t.name = 'Attacker'`,
      [attackersContacts],
    );
    return team;
  } finally {
    await client.end();
  }
}

async function sends(server: ServerProcess, sink: Sink, label: string, settings: BenchSettings): Promise<Measurement> {
  const before = sink.received;
  const load = await measureHttp(server, singleSends('4 KB'), settings, (count) => sink.waitFor(before + count));
  return {
    name: `single sends of 4 KB to a good host, ${label}`,
    value: load.count / load.totalSeconds,
    unit: 'emails/s',
    cpuMs: load.cpuMs,
    p50Ms: percentile(load.latencies, 0.5),
    p99Ms: percentile(load.latencies, 0.99),
  };
}

/** Highest resident memory of the server process since it was last reset. */
function peakMemoryMb(pid: number): number {
  const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
