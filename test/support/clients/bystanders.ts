import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { stretched } from '../runner/stretched.js';
import { SmtpSink } from '../servers/smtp-sink.js';

/** The ordinary customer, who does not attack. */
export interface Bystanders {
  readonly url: string;
  readonly apiKey: string;
  readonly sender: string;
  /** Mail host of `good.test`. */
  readonly host: SmtpSink;
}

/** Measurements of the ordinary customer during an attack. Times in milliseconds, memory in bytes. */
export interface Calm<T> {
  readonly result: T;
  /** The time of each request of the ordinary customer. */
  readonly requestTimes: readonly number[];
  /** The slowest response to a request of the ordinary customer. */
  readonly slowestRequestMs: number;
  /** The longest time from a send of the ordinary customer to the arrival of the mail. */
  readonly slowestDeliveryMs: number;
  readonly deliveries: number;
  /** Requests and deliveries of the ordinary customer that were refused or came too late. */
  readonly failures: readonly string[];
  /** Highest resident memory of the program's process during the attack. */
  readonly peakMemory: number;
  /** Peak memory above that at the start of the attack, because earlier attacks leave some memory in use. */
  readonly memoryGrowth: number;
}

/** The time that a request or delivery of the ordinary customer may take. */
export const calmMs = stretched(1_000);

const pauseMs = 100;
/** Timeout of one request or delivery. One that takes longer is reported with this time and as a failure. */
const timeoutMs = 20_000;

let sent = 0;

/**
 * Repeats requests and sends of the ordinary customer until the attack is over and each of them has ended. Time for which
 * this process itself could not run is not counted, so build large inputs before the attack.
 */
export async function watchBystanders<T>(
  bystanders: Bystanders,
  pid: number,
  attack: () => Promise<T>,
): Promise<Calm<T>> {
  const stalls = new Stalls();
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await peakMemory(pid);
  const failures: string[] = [];
  let isOver = false;
  const repeat = async (once: () => Promise<void>): Promise<number[]> => {
    const times: number[] = [];
    do {
      const ended = stalls.measure(once);
      times.push(await ended.catch((error: unknown) => (failures.push(String(error)), timeoutMs)));
      await delay(pauseMs);
    } while (!isOver);
    return times;
  };
  const requests = repeat(() => ask(bystanders));
  const deliveries = repeat(() => send(bystanders));
  try {
    const result = await attack().finally(() => (isOver = true));
    const requestTimes = await requests;
    const deliveryTimes = await deliveries;
    const peak = await peakMemory(pid);
    return {
      result,
      requestTimes,
      slowestRequestMs: Math.max(...requestTimes),
      slowestDeliveryMs: Math.max(...deliveryTimes),
      deliveries: deliveryTimes.length,
      failures,
      peakMemory: peak,
      memoryGrowth: peak - before,
    };
  } finally {
    await Promise.allSettled([requests, deliveries]);
    stalls.stop();
  }
}

async function ask({ url, apiKey }: Bystanders): Promise<void> {
  const response = await fetch(`${url}/domains`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.text();
  if (response.status !== 200) throw new Error(`The other customer's request had status ${response.status}`);
}
async function send({ url, apiKey, sender, host }: Bystanders): Promise<void> {
  const to = `user${++sent}@good.test`;
  const arrived = host.waitFor(({ messages }) => messages.at(-1)?.recipients.includes(to) === true);
  const response = await fetch(`${url}/emails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: sender, to, subject: 'Hello', text: 'Hi' }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`The other customer's mail had status ${response.status}`);
  const tooLate = delay(timeoutMs, 'too late' as const, { ref: false });
  if ((await Promise.race([arrived, tooLate])) === 'too late') throw new Error(`Mail to ${to} did not arrive`);
}

async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Measures for how long this process could not run, because the machine was busy or an attack was being built. */
export class Stalls {
  private static readonly intervalMs = 10;
  private stalledMs = 0;
  private last = performance.now();
  private readonly timer = setInterval(() => this.look(), Stalls.intervalMs);

  /** Duration of the work, without the time for which this process could not run. */
  async measure(work: () => Promise<void>): Promise<number> {
    this.look();
    const started = performance.now();
    const before = this.stalledMs;
    await work();
    this.look();
    return performance.now() - started - (this.stalledMs - before);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const now = performance.now();
    this.stalledMs += Math.max(0, now - this.last - 2 * Stalls.intervalMs);
    this.last = now;
  }
}
