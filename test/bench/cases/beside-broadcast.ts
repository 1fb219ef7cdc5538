import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BroadcastSteps } from '../../support/builders/broadcast-steps.js';
import { SmtpSink } from '../../support/servers/smtp-sink.js';
import { until } from '../../support/runner/until.js';
import { BenchCase, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { singleSends } from '../load/load-case.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';

const contacts = Number(process.env.BENCH_BROADCAST_CONTACTS ?? 100_000);
/** Single sends of one measurement, and how many of them are under way at once. */
const singles = 200;
const singlesAtOnce = 2;

/** The receiving server. It knows when each single mail came. */
class TimedSink {
  private readonly came = new Map<string, () => void>();
  private constructor(readonly sink: SmtpSink) {}

  static async listen(): Promise<TimedSink> {
    let timed: TimedSink | undefined;
    const sink = await SmtpSink.listen({ replyToRecipient: (address) => timed?.arrived(address) });
    return (timed = new TimedSink(sink));
  }

  arrival(address: string): Promise<void> {
    return new Promise((resolve) => this.came.set(address, resolve));
  }

  private arrived(address: string): undefined {
    this.came.get(address)?.();
    this.came.delete(address);
  }
}

/**
 * From the request until the receiving server has the recipient: single mails alone, and beside a broadcast that is
 * being delivered.
 */
export const besideBroadcastCase: BenchCase = {
  name: 'beside-broadcast',
  open: async () => {
    const timed = await TimedSink.listen();
    const relay = { DELIVERY_TRANSPORT: 'relay', RELAY_URL: `smtp://127.0.0.1:${timed.sink.port}?tls=none` };
    const server = await startServer(relay);
    const sql = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
    await sql.connect();
    const steps = await stepsOn(sql);
    const segmentId = await steps.segment();
    for (let from = 0; from < contacts; from += 10_000) {
      await steps.contacts(segmentId, Math.min(10_000, contacts - from), `bench${from}-`);
    }
    await latencies(server, timed);
    return {
      measure: async () => {
        const alone = await latencies(server, timed);
        const id = await steps.start({ segmentId });
        await timed.sink.waitFor(({ count }) => count > 3 * singles);
        const beside = await latencies(server, timed);
        const wasRunning = (await sql.query('SELECT FROM outbound_queue WHERE is_bulk LIMIT 1')).rowCount === 1;
        if (!wasRunning)
          throw new Error('The broadcast ended before the single mails: BENCH_BROADCAST_CONTACTS is too low');
        await steps.setStatus(id, 'canceled');
        await until(async () => (await sql.query('SELECT FROM outbound_queue LIMIT 1')).rowCount === 0, 600_000);
        timed.sink.reset();
        return rows(alone, beside);
      },
      close: async () => {
        await sql.end();
        await server.stop();
        await timed.sink.close();
      },
    };
  },
};

async function stepsOn(sql: Client): Promise<BroadcastSteps> {
  const query = async (statement: { text: string; values?: unknown[] }): Promise<never[]> =>
    (await sql.query(statement.text, statement.values)).rows as never[];
  const [team] = (await sql.query<{ id: string }>('SELECT id FROM teams LIMIT 1')).rows;
  return new BroadcastSteps({ query }, team?.id ?? '');
}

function rows(alone: readonly number[], beside: readonly number[]): Measurement[] {
  const row = (name: string, times: readonly number[]): Measurement => {
    const p99Ms = percentile([...times], 0.99);
    return { name, value: p99Ms, unit: 'ms (p99)', p50Ms: percentile([...times], 0.5), p99Ms };
  };
  const [first, second] = [
    row('single mail, sent to arrived, alone', alone),
    row('the same beside a broadcast', beside),
  ];
  return [
    first,
    second,
    { name: 'beside compared with alone', value: second.value / first.value, unit: 'times (p99)' },
  ];
}

let next = 0;

async function latencies(server: ServerProcess, timed: TimedSink): Promise<number[]> {
  const times: number[] = [];
  const sendSome = async (): Promise<void> => {
    for (let n = 0; n < singles / singlesAtOnce; n++) {
      const number = next++;
      const arrival = timed.arrival(`user${number}@sink.test`);
      const begun = performance.now();
      await fetch(`http://127.0.0.1:${server.port}/emails`, {
        method: 'POST',
        headers: { authorization: `Bearer ${benchApiKey}`, 'content-type': 'application/json' },
        body: singleSends('4 KB').body(number),
      });
      await arrival;
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: singlesAtOnce }, sendSome));
  return times.sort((a, b) => a - b);
}
