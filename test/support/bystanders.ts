import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SmtpSink } from './smtp-sink.js';

/** The customer who does nothing wrong. */
export interface Bystanders {
  readonly url: string;
  readonly apiKey: string;
  readonly sender: string;
  /** Mail host of `good.test`. */
  readonly host: SmtpSink;
}

/** How the others fared during an attack. Times in milliseconds, memory in bytes. */
export interface Calm<T> {
  readonly result: T;
  /** The slowest answer to a request of the other customer. */
  readonly slowestRequestMs: number;
  /** The longest time from a send of the other customer to its arrival at the host that answers. */
  readonly slowestDeliveryMs: number;
  readonly deliveries: number;
  /** What the other customer was refused, or did not get in time. */
  readonly failures: readonly string[];
  /** Highest resident memory of the program's process during the attack. */
  readonly peakMemory: number;
  /** By how much that is above what the process had when the attack began: earlier ones leave some behind. */
  readonly memoryGrowth: number;
}

/** What the other customer waits for at most. */
export const calmMs = 1_000;

const pauseMs = 100;
/** For one request or delivery; what takes longer is reported with this time and as a failure. */
const patienceMs = 20_000;

let sent = 0;

/**
 * Asks and sends for the good customer, again and again, until the attack is over and each request and delivery begun by
 * then has ended. Time for which this very process could not run counts for nobody: build large inputs before the attack.
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
      times.push(await ended.catch((error: unknown) => (failures.push(String(error)), patienceMs)));
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
    signal: AbortSignal.timeout(patienceMs),
  });
  await response.text();
  if (response.status !== 200) throw new Error(`The other customer's request was answered ${response.status}`);
}

async function send({ url, apiKey, sender, host }: Bystanders): Promise<void> {
  const to = `user${++sent}@good.test`;
  const arrived = host.waitFor(({ messages }) => messages.at(-1)?.recipients.includes(to) === true);
  const response = await fetch(`${url}/emails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: sender, to, subject: 'Hello', text: 'Hi' }),
    signal: AbortSignal.timeout(patienceMs),
  });
  if (response.status !== 200) throw new Error(`The other customer's mail was answered ${response.status}`);
  const tooLate = delay(patienceMs, 'too late' as const, { ref: false });
  if ((await Promise.race([arrived, tooLate])) === 'too late') throw new Error(`Mail to ${to} did not arrive`);
}

async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Knows for how long this process could not run: the machine is busy with other tests, or builds an attack. */
export class Stalls {
  private static readonly everyMs = 10;
  private stalledMs = 0;
  private last = performance.now();
  private readonly timer = setInterval(() => this.look(), Stalls.everyMs);

  /** Duration of what is done, less the time in which this process stood still. */
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
    this.stalledMs += Math.max(0, now - this.last - 2 * Stalls.everyMs);
    this.last = now;
  }
}
