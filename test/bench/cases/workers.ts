import { DnsServer } from '../../support/servers/dns-server.js';
import { BenchCase } from '../bench-case.js';
import { LoadCase, singleSends } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { startServer } from '../server-process.js';
import { Sink } from '../sink.js';

/** One worker has a lane at a time, so with one destination the other workers would have nothing to do. */
const sites = 12;

const single = singleSends('4 KB');
const toManySites: LoadCase = {
  ...single,
  body: (request) => single.body(request).replace('@sink.test', `@site${request % sites}.test`),
};

/** Single sends to a dozen sites, which are looked up in the DNS, with this number of worker processes. */
function workersCase(workers: number): BenchCase {
  return {
    name: `workers-${workers}`,
    isLong: true,
    open: async (settings) => {
      const sink = await Sink.start();
      const dns = await DnsServer.listen();
      for (let site = 0; site < sites; site++) {
        dns.mx(`site${site}.test`, [10, `mx.site${site}.test`]).a(`mx.site${site}.test`, '127.0.0.1');
      }
      const server = await startServer({
        WORKERS: String(workers),
        DELIVERY_TRANSPORT: 'mx',
        MX_PORT: String(sink.port),
        DNS_SERVERS: dns.address,
        ALLOW_PRIVATE_DESTINATIONS: 'true',
        HELO_NAME: 'bench.test',
      });
      const run = (messages: number): ReturnType<typeof measureHttp> => {
        const before = sink.received;
        return measureHttp(server, toManySites, { ...settings, messages }, (count) => sink.waitFor(before + count));
      };
      await run(Math.ceil(settings.messages / 4));
      return {
        measure: async () => {
          const { count, totalSeconds, cpuMs } = await run(settings.messages);
          const name = `single sends to ${sites} sites, ${workers === 0 ? 'one process' : `WORKERS=${workers}`}`;
          return [{ name, value: count / totalSeconds, unit: 'emails/s', cpuMs }];
        },
        close: async () => {
          await server.stop();
          await sink.stop();
          await dns.close();
        },
      };
    },
  };
}

export const workersCases: readonly BenchCase[] = [0, 1, 2, 4].map(workersCase);
