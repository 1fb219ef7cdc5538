import { BenchCase, BenchSettings } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { batches, LoadCase, singleSends } from '../load/load-case.js';
import { MeasuredLoad, measureHttp, measureSmtp } from '../load/measured-load.js';
import { ServerProcess, startServer } from '../server-process.js';

/** Acceptance alone: the roles `api` and `smtp` without a worker. Accepted mail is durable and queued. */
function acceptingCase(
  name: string,
  label: string,
  measure: (server: ServerProcess, settings: BenchSettings) => Promise<MeasuredLoad>,
): BenchCase {
  return {
    name,
    open: async (settings) => {
      const server = await startServer({
        ROLES: 'api,smtp',
        DELIVERY_TRANSPORT: 'relay',
        RELAY_URL: 'smtp://127.0.0.1:9?tls=none',
      });
      await measure(server, { ...settings, messages: Math.ceil(settings.messages / 4) });
      return {
        measure: async () => {
          const load = await measure(server, settings);
          return [
            {
              name: label,
              value: load.count / load.seconds,
              unit: 'emails/s',
              cpuMs: load.cpuMs,
              p50Ms: percentile(load.latencies, 0.5),
              p99Ms: percentile(load.latencies, 0.99),
            },
          ];
        },
        close: () => server.stop(),
      };
    },
  };
}

const overHttp = (loadCase: LoadCase) => (server: ServerProcess, settings: BenchSettings) =>
  measureHttp(server, loadCase, settings);

export const acceptingCases: readonly BenchCase[] = [
  acceptingCase('accept', 'HTTP accept alone, single sends', overHttp(singleSends('4 KB'))),
  acceptingCase('accept-batch', 'HTTP accept alone, batches of 100', overHttp(batches)),
  acceptingCase('accept-smtp', 'SMTP accept alone, with TLS', measureSmtp),
];
