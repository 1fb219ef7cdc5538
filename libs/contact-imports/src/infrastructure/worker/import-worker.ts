import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { RunImports } from '../../application/run-imports.use-case.js';

/** How long a new import waits at most where a worker is free. */
const lookEveryMs = 500;
/** Imports of different teams that one process works on at once. A third of the work is in this process, the rest in PostgreSQL. */
const atOnce = 2;

/** Looks for imports that wait, and works on them until none is left. Every worker does it. */
@Injectable()
export class ImportWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private working = 0;

  constructor(
    private readonly imports: RunImports,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    for (let no = 0; no < atOnce; no++) {
      this.timers.every(lookEveryMs, 'importing contacts', () => this.work(no), (no + 1) * 200);
    }
  }

  beforeApplicationShutdown(): void {
    this.imports.stop();
  }

  /** While nothing is imported, only the first one looks. */
  private async work(no: number): Promise<void> {
    if (no > this.working) return;
    this.working++;
    try {
      while (await this.imports.step());
    } finally {
      this.working--;
    }
  }
}
