import { ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';

/** A receiver in a process of its own, which tells how much has arrived. */
export class CountingProcess {
  private count = 0;
  port = 0;

  private constructor(private readonly child: ChildProcess) {}

  static async start(script: 'sink-process' | 'webhook-receiver-process'): Promise<CountingProcess> {
    const receiver = new CountingProcess(fork(resolve(`dist/test/bench/${script}.js`)));
    await new Promise<void>((ready) =>
      receiver.child.on('message', (message: { port: number; count: number }) => {
        receiver.port = message.port;
        receiver.count = message.count;
        ready();
      }),
    );
    return receiver;
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

  stop(): void {
    this.child.kill();
  }
}
