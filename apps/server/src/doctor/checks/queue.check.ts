import { getQueueToken } from '@nestjs/bullmq';
import { Database } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { DoctorCheck, Finding, green, red, yellow } from '../check.js';

const lanesQueue = 'lanes';
const timeoutMs = 5_000;
const lateMinutes = 5;
const stuckMinutes = 30;

/** Do wake-ups arrive, is somebody delivering, and does mail that is due wait? */
@Injectable()
export class QueueCheck extends DoctorCheck {
  readonly name = 'Queue';

  constructor(
    private readonly modules: ModuleRef,
    private readonly database: Database,
  ) {
    super();
  }

  async run(): Promise<readonly Finding[]> {
    return [await this.backend(), await this.delay()];
  }

  private async backend(): Promise<Finding> {
    const queue = this.modules.get<Queue>(getQueueToken(lanesQueue), { strict: false });
    const fix = 'Look at REDIS_URL and at the server behind it; without REDIS_URL, at the database.';
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<'silence'>((resolve) => (timer = setTimeout(() => resolve('silence'), timeoutMs)));
    try {
      const answer = await Promise.race([queue.getJobCounts(), silence]);
      return answer === 'silence' ? red('does not answer', fix) : green('answers');
    } catch (error) {
      return red(`fails: ${(error as Error).message}`, fix);
    } finally {
      clearTimeout(timer);
    }
  }

  private async delay(): Promise<Finding> {
    const [row] = await this.database.query<{ due: number; minutes: number | null }>({
      text: `SELECT count(*)::int AS due, (extract(epoch FROM now() - min(due_at)) / 60)::int AS minutes
             FROM published_outbound_queue WHERE due_at <= now()`,
    });
    const { due = 0, minutes = 0 } = row ?? {};
    const waited = minutes ?? 0;
    const text = due === 0 ? 'nothing is waiting' : `${due} recipients are due, the oldest for ${waited} minutes`;
    const fix = 'See that a process with the worker role is running, and what its log says.';
    if (waited >= stuckMinutes) return red(text, fix);
    return waited >= lateMinutes ? yellow(text, fix) : green(text);
  }
}
