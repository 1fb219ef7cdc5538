import type { BenchSettings } from '../bench-case.js';
import { cpuSecondsOf } from '../process-cpu.js';
import { benchApiKey, ServerProcess } from '../server-process.js';
import { LoadResult, runLoad } from './http-load.js';
import { LoadCase, mimeOf } from './load-case.js';
import { runSmtpLoad } from './smtp-load.js';

export interface MeasuredLoad extends LoadResult {
  readonly count: number;
  /** Time until `arrived` resolved. */
  readonly totalSeconds: number;
  /** CPU time of the server and its PostgreSQL until `arrived` resolved. */
  readonly cpuMs: number;
}

type Arrived = (count: number) => Promise<void>;

const atOnce: Arrived = () => Promise.resolve();

/** Sends `messages` emails over HTTP and waits until `arrived` resolves for the last one. */
export function measureHttp(
  server: ServerProcess,
  loadCase: LoadCase,
  { messages, connections }: BenchSettings,
  arrived: Arrived = atOnce,
): Promise<MeasuredLoad> {
  const requests = Math.ceil(messages / loadCase.emailsPerRequest);
  return measure(server, requests * loadCase.emailsPerRequest, arrived, () =>
    runLoad({
      port: server.port,
      apiKey: benchApiKey,
      path: loadCase.path,
      connections: Math.min(connections, requests),
      requests,
      body: loadCase.body,
      headers: loadCase.headers,
    }),
  );
}

/** The same over SMTP with TLS. */
export function measureSmtp(
  server: ServerProcess,
  { messages, connections }: BenchSettings,
  arrived: Arrived = atOnce,
): Promise<MeasuredLoad> {
  return measure(server, messages, arrived, () =>
    runSmtpLoad({
      port: server.smtpPort,
      apiKey: benchApiKey,
      connections,
      messages,
      content: mimeOf,
      recipient: (index) => `user${index}@sink.test`,
    }),
  );
}

async function measure(
  server: ServerProcess,
  count: number,
  arrived: Arrived,
  run: () => Promise<LoadResult>,
): Promise<MeasuredLoad> {
  const cpu = cpuSecondsOf(server.pid);
  const started = performance.now();
  const load = await run();
  if (load.refused > 0) throw new Error(`${load.refused} requests were refused`);
  await arrived(count);
  const totalSeconds = (performance.now() - started) / 1_000;
  return { ...load, count, totalSeconds, cpuMs: ((cpuSecondsOf(server.pid) - cpu) * 1_000) / count };
}
