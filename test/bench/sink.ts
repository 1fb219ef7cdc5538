import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** A receiver of messages or webhook calls that counts them. */
export interface Receiver {
  readonly port: number;
  readonly received: number;
  waitFor(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** A receiver of mail or webhook calls in a separate process, which reports how many have arrived. */
export class Sink implements Receiver {
  /** How often each email has arrived, by its number. Only of `numbered-sink-process`. */
  readonly deliveries = new Map<number, number>();
  private count = 0;
  port = 0;

  private constructor(private readonly child: ChildProcess) {}

  static async start(
    script: 'sink-process' | 'numbered-sink-process' | 'webhook-receiver-process' = 'sink-process',
  ): Promise<Sink> {
    const sink = new Sink(fork(resolve(`dist/test/bench/${script}.js`)));
    await new Promise<void>((ready) =>
      sink.child.on('message', (message: { port: number; count: number; numbers?: readonly number[] }) => {
        sink.port = message.port;
        sink.count = message.count;
        for (const no of message.numbers ?? []) sink.deliveries.set(no, (sink.deliveries.get(no) ?? 0) + 1);
        ready();
      }),
    );
    return sink;
  }

  get received(): number {
    return this.count;
  }

  async waitFor(count: number): Promise<void> {
    const deadline = performance.now() + 120_000;
    while (this.count < count) {
      if (performance.now() > deadline) throw new Error(`Only ${this.count} of ${count} messages arrived`);
      await new Promise((done) => setTimeout(done, 5));
    }
  }

  async stop(): Promise<void> {
    this.child.kill();
    await once(this.child, 'exit');
  }
}
