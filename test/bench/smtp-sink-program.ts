import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, untilListening } from '../support/servers/private-postfix.js';
import type { Receiver } from './sink.js';

/** Backlog of connections. The kernel limits it to its own maximum. */
const backlog = '1000';
const patienceMs = 120_000;

/** Postfix's `smtp-sink`, a receiving server written in C, which counts messages and drops them. */
export class SmtpSinkProgram implements Receiver {
  private count = 0;

  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {
    // It rewrites one line: sess=1 quit=0 mesg=12, ended by a carriage return.
    child.stdout?.on('data', (chunk: Buffer) => {
      const counts = [...chunk.toString('latin1').matchAll(/mesg=(\d+)\r/g)];
      const [, last] = counts.at(-1) ?? [];
      if (last !== undefined) this.count = Number(last);
    });
  }

  static async start(): Promise<SmtpSinkProgram> {
    const port = await freePort();
    const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn('/usr/sbin/smtp-sink', ['-c', ...asNobody, `127.0.0.1:${port}`, backlog], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await untilListening(port);
    return new SmtpSinkProgram(port, child);
  }

  get received(): number {
    return this.count;
  }

  async waitFor(count: number): Promise<void> {
    const deadline = performance.now() + patienceMs;
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
