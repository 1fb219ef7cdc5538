import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { INestApplicationContext } from '@nestjs/common';
import { DeliveryQueue } from '#delivery';
import { Config } from '#platform/config';
import type { DatabaseAddress } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { workerArgument } from './worker-messages.js';
import { WorkerProcesses } from './worker-processes.js';

/** Time after SHUTDOWN_SECONDS for a worker to close its connections. Workers observe SHUTDOWN_SECONDS themselves. */
const stopMarginMs = 5_000;
/** No worker has this id. */
const noWorkerId = '00000000-0000-0000-0000-000000000000';

export interface WorkersOptions {
  readonly config: Config;
  readonly database: DatabaseAddress;
  readonly secretKey: string;
  readonly logger: Logger;
  /** The program's own environment, which the workers get as well. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Starts the worker processes of WORKERS. They use the same database and listen on loopback only. */
export async function startWorkers(app: INestApplicationContext, options: WorkersOptions): Promise<WorkerProcesses> {
  const { config, database, secretKey, logger } = options;
  const queue = app.get(DeliveryQueue);
  // Only this program uses the embedded database: any worker recorded there died with an earlier program.
  if (config.values.databaseUrl === undefined) await queue.forgetOtherWorkers(noWorkerId);
  const environment = {
    ...options.environment,
    ROLES: 'worker',
    WORKERS: '0',
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: database.directUrl,
    SECRET_KEY: secretKey,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    DOCTOR_LISTEN: '',
    HEALTH_LISTEN: '',
  };
  const program = fileURLToPath(new URL('../main.js', import.meta.url));
  const workers = new WorkerProcesses({
    count: config.values.workers,
    start: () =>
      spawn(process.execPath, [...process.execArgv, program, workerArgument], {
        env: environment,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        // Metrics may be NaN (the lag of an event loop before its first turn), which JSON cannot represent.
        serialization: 'advanced',
      }),
    abandon: (workerId) => queue.retire(workerId),
    stopMs: config.values.shutdownSeconds * 1_000 + stopMarginMs,
    logger,
  });
  measure(app.get(Metrics), workers);
  workers.start();
  return workers;
}

function measure(metrics: Metrics, workers: WorkerProcesses): void {
  const help = 'Worker processes that are running, of those WORKERS asks for';
  metrics.gauge('postrider_worker_processes', help, { read: (gauge) => gauge.set(workers.running) });
  metrics.include(() => workers.metrics());
}
