import { setTimeout as delay } from 'node:timers/promises';
import type { Sink } from '../sink.js';
import type { KilledProcess, MailSystem, Submission } from './mail-systems.js';

const pauseAfterFailureMs = 500;
const pollMs = 20;
/** Without a further delivery for this long, the system is asked whether it is done. */
const quietMs = 500;
/** What has not arrived this long after the queue was empty is lost. */
const patienceWhenDoneMs = 5_000;
const patienceMs = 180_000;

export interface Kill {
  readonly after_accepted: number;
  readonly process: KilledProcess;
}

/** What one round did. How often each email arrives is counted at the end of all rounds. */
export interface Round {
  readonly kills: readonly Kill[];
  /** The numbers of all emails that were sent to the system. */
  readonly sent: readonly number[];
  readonly accepted: readonly number[];
  /** From the first request until the last accepted email has arrived. */
  readonly seconds: number;
  /** Until nothing waits for its delivery any more. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

export interface RoundPlan {
  /** The round ends once the system has accepted this many. */
  readonly emails: number;
  readonly connections: number;
  readonly kills: readonly Kill[];
  readonly nextNumber: () => number;
}

/** Sends emails over several connections, kills processes meanwhile, and waits until all accepted emails have arrived. */
export async function runRound(system: MailSystem, sink: Sink, plan: RoundPlan): Promise<Round> {
  const before = system.cpuSeconds();
  const started = performance.now();
  const { sent, accepted } = await new Sending(system, plan).run();
  await untilArrived(system, sink, accepted);
  const seconds = (performance.now() - started) / 1_000;
  await untilDone(system);
  const after = Object.entries(system.cpuSeconds());
  const cpuSeconds = Object.fromEntries(after.map(([name, value]) => [name, value - (before[name] ?? 0)]));
  return { kills: plan.kills, sent, accepted, seconds, cpuSeconds };
}

/** An email that is not accepted is not sent again: the next one has a number of its own. */
class Sending {
  private readonly sent: number[] = [];
  private readonly accepted: number[] = [];
  private readonly kills: Kill[];
  private underWay = 0;
  private killing = Promise.resolve();

  constructor(
    private readonly system: MailSystem,
    private readonly plan: RoundPlan,
  ) {
    this.kills = [...plan.kills];
  }

  async run(): Promise<Pick<Round, 'sent' | 'accepted'>> {
    await Promise.all(Array.from({ length: this.plan.connections }, () => this.sendAll()));
    await this.killing;
    return { sent: this.sent, accepted: this.accepted };
  }

  private async sendAll(): Promise<void> {
    let connection: Submission | undefined;
    while (this.accepted.length + this.underWay < this.plan.emails) {
      this.underWay++;
      try {
        connection ??= await this.system.connect();
        if (await this.sendOne(connection)) continue;
      } catch {
        connection?.close();
        connection = undefined;
      } finally {
        this.underWay--;
      }
      await this.killing;
      await delay(pauseAfterFailureMs);
    }
    connection?.close();
  }

  private async sendOne(connection: Submission): Promise<boolean> {
    const no = this.plan.nextNumber();
    this.sent.push(no);
    if (!(await connection.submit(no))) return false;
    this.accepted.push(no);
    const [kill] = this.kills;
    if (kill?.after_accepted === this.accepted.length) {
      this.kills.shift();
      this.killing = this.killing.then(() => this.system.kill(kill.process));
    }
    return true;
  }
}

async function untilArrived(system: MailSystem, sink: Sink, accepted: readonly number[]): Promise<void> {
  const missing = new Set(accepted);
  let lastReceived = sink.received;
  let quietSince = performance.now();
  for (;;) {
    for (const no of missing) {
      if (!sink.deliveries.has(no)) break;
      missing.delete(no);
    }
    if (missing.size === 0) return;
    if (sink.received !== lastReceived) {
      lastReceived = sink.received;
      quietSince = performance.now();
    }
    const quiet = performance.now() - quietSince;
    if (quiet > quietMs && (await isDone(system)) && quiet > patienceWhenDoneMs) return;
    if (quiet > patienceMs) return;
    await delay(pollMs);
  }
}

async function untilDone(system: MailSystem): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isDone(system)) && performance.now() < deadline) await delay(pollMs);
}

/** A system whose PostgreSQL starts again cannot be asked. */
const isDone = (system: MailSystem): Promise<boolean> => system.isDone().catch(() => false);
