import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { AttackPlan } from './attack-plan.js';

/** The attack in a separate process. */
export class Attack {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when all attacks are running. */
  static async start(plan: AttackPlan): Promise<Attack> {
    const child = fork(resolve('dist/test/bench/attack/attack-process.js'), [JSON.stringify(plan)]);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The attack ended by itself with ${code}`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return new Attack(child);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) throw new Error('The attack ended before the measurement');
    this.child.kill();
    await once(this.child, 'exit');
  }
}
