import { Metrics } from '#observability/metrics';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';

/** Metrics of the connection pool, read when they are collected. */
@Injectable()
export class PoolMetrics {
  constructor({ pool }: Database, metrics: Metrics) {
    const help = 'PostgreSQL connections of this process';
    metrics.gauge('postrider_database_connections', help, {
      labels: ['state'],
      across: 'each',
      read: (gauge) => {
        gauge.set({ state: 'idle' }, pool.idleCount);
        gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      },
    });
    metrics.gauge('postrider_database_connections_wanted', 'Work that waits for a connection', {
      across: 'each',
      read: (gauge) => gauge.set(pool.waitingCount),
    });
  }
}
