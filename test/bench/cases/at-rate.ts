import { setInterval as ticks } from 'node:timers/promises';
import type { BenchCase } from '../bench-case.js';
import { percentile, runLoad } from '../load/http-load.js';
import { singleSends } from '../load/load-case.js';
import { benchApiKey, startServer } from '../server-process.js';
import { Sink } from '../sink.js';

const rates = [100, 300, 500];
const seconds = 12;
const warmUpRequests = 5_000;

/** How long single sends wait for their response at a fixed rate, while what was accepted before is delivered, and what they leave behind. */
export const atRateCase: BenchCase = {
  name: 'at-rate',
  open: async ({ connections }) => {
    const sink = await Sink.start();
    const server = await startServer({
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    });
    const { path, body } = singleSends('4 KB');
    const send = async (requests: number, perSecond?: number): Promise<readonly number[]> => {
      const before = sink.received;
      const { port } = server;
      const load = await runLoad({ port, apiKey: benchApiKey, path, body, connections, requests, perSecond });
      if (load.refused > 0) throw new Error(`${load.refused} emails were refused`);
      await sink.waitFor(before + requests);
      return load.latencies;
    };
    await send(warmUpRequests);
    return {
      measure: async () => {
        const rows = [];
        for (const rate of rates) {
          const [latencies, kept] = await withGrowth(server.port, () => send(rate * seconds, rate));
          const [p50Ms, p99Ms] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
          const name = `single sends of 4 KB, ${rate} a second, delivered meanwhile`;
          rows.push({ name, value: p99Ms, unit: 'ms (p99)', p50Ms, p99Ms });
          rows.push({
            name: `kept until a full collection, ${rate} a second`,
            value: kept / (rate * seconds) / 1_024,
            unit: 'KB an email',
          });
        }
        return rows;
      },
      close: async () => {
        await server.stop();
        await sink.stop();
      },
    };
  },
};

/** Also returns the bytes by which the old generation of the server grew. A full collection makes it smaller: that does not count. */
async function withGrowth<Result>(port: number, work: () => Promise<Result>): Promise<[Result, number]> {
  const done = new AbortController();
  let [grown, last] = [0, await oldGeneration(port)];
  const look = async (): Promise<void> => {
    const now = await oldGeneration(port);
    grown += Math.max(0, now - last);
    last = now;
  };
  const watching = (async () => {
    for await (const _ of ticks(500, undefined, { signal: done.signal })) await look();
  })().catch(() => undefined);
  try {
    const result = await work();
    await look();
    return [result, grown];
  } finally {
    done.abort();
    await watching;
  }
}

async function oldGeneration(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const [, bytes] = /^postrider_nodejs_heap_space_size_used_bytes\{space="old"\} (\S+)/m.exec(text) ?? [];
  if (bytes === undefined) throw new Error('the server does not tell the size of its old generation');
  return Number(bytes);
}
