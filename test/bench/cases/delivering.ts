import { BenchCase, BenchSettings } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { batches, LoadCase, singleSends, withKeys } from '../load/load-case.js';
import { MeasuredLoad, measureHttp, measureSmtp } from '../load/measured-load.js';
import { ServerProcess, startServer } from '../server-process.js';
import { Sink } from '../sink.js';

type Measure = (
  server: ServerProcess,
  settings: BenchSettings,
  arrived: (n: number) => Promise<void>,
) => Promise<MeasuredLoad>;

/** Measures from the first request until the receiving server has replied 250 to the last message. */
function deliveringCase(name: string, label: string, measure: Measure, share = 1): BenchCase {
  return {
    name,
    open: async (given) => {
      const settings = { ...given, messages: Math.ceil(given.messages * share) };
      const sink = await Sink.start();
      const server = await startServer({
        DELIVERY_TRANSPORT: 'relay',
        RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      });
      const run = (messages: number): Promise<MeasuredLoad> => {
        const before = sink.received;
        return measure(server, { ...settings, messages }, (count) => sink.waitFor(before + count));
      };
      await run(Math.ceil(settings.messages / 4));
      return {
        measure: async () => {
          const load = await run(settings.messages);
          const { cpuMs } = load;
          return [
            { name: `${label}, accepted to delivered`, value: load.count / load.totalSeconds, unit: 'emails/s', cpuMs },
            {
              name: `${label}, accepted while delivering`,
              value: load.count / load.seconds,
              unit: 'emails/s',
              p50Ms: percentile(load.latencies, 0.5),
              p99Ms: percentile(load.latencies, 0.99),
            },
          ];
        },
        close: async () => {
          await server.stop();
          await sink.stop();
        },
      };
    },
  };
}

const overHttp =
  (loadCase: LoadCase): Measure =>
  (server, settings, arrived) =>
    measureHttp(server, loadCase, settings, arrived);

const httpCase = (name: string, loadCase: LoadCase, share?: number): BenchCase =>
  deliveringCase(name, loadCase.name, overHttp(loadCase), share);

export const deliveringCases: readonly BenchCase[] = [
  httpCase('single', singleSends('4 KB')),
  httpCase('single-100k', singleSends('100 KB'), 0.2),
  httpCase('single-keys', withKeys(singleSends('4 KB'))),
  httpCase('batch', batches),
  httpCase('batch-keys', withKeys(batches)),
  deliveringCase('smtp', 'SMTP with TLS', measureSmtp),
];
