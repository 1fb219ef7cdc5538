import { getQueueToken } from '@nestjs/bullmq';
import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';

const lanesQueue = 'lanes';
const timeoutMs = 5_000;
const minYellowMinutes = 5;
const minRedMinutes = 30;

/** Checks that the queue of wake-ups works, and that due mail is delivered without delay. */
@Injectable()
export class QueueCheck extends DoctorCheck {
  readonly name = 'Queue';

  constructor(
    private readonly modules: ModuleRef,
    private readonly database: Database,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    return [await this.backend(), await this.delay()];
  }

  private async backend(): Promise<DoctorFinding> {
    const queue = this.modules.get<Queue>(getQueueToken(lanesQueue), { strict: false });
    const fix = 'Check REDIS_URL and its server; without REDIS_URL, check the database.';
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'timeout'>((resolve) => (timer = setTimeout(() => resolve('timeout'), timeoutMs)));
    try {
      const result = await Promise.race([queue.getJobCounts(), timeout]);
      return result === 'timeout' ? red('does not respond', fix) : green('responds');
    } catch (error) {
      return red(`fails: ${(error as Error).message}`, fix);
    } finally {
      clearTimeout(timer);
    }
  }

  private async delay(): Promise<DoctorFinding> {
    const [row] = await this.database.query<{ due: number; minutes: number | null }>({
      text: `SELECT count(*)::int AS due, (extract(epoch FROM now() - min(due_at)) / 60)::int AS minutes
             FROM published_outbound_queue WHERE due_at <= now()`,
    });
    const { due = 0, minutes = 0 } = row ?? {};
    const waited = minutes ?? 0;
    const text = due === 0 ? 'nothing is waiting' : `${due} recipients are due, the oldest for ${waited} minutes`;
    const fix = 'Make sure that a process with the worker role is running, and read its log.';
    if (waited >= minRedMinutes) return red(text, fix);
    return waited >= minYellowMinutes ? yellow(text, fix) : green(text);
  }
}
