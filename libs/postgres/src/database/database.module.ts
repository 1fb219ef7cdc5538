import { TeamEvents } from '#events';
import { UnitOfWork, WorkSignal } from '#kernel';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { DynamicModule, Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ProcessNotifications } from './broadcast.js';
import { DailyPartitions } from './daily-partitions.js';
import { DatabaseAddress, DirectConnection, hasPooler } from './database-address.js';
import { Database, MailDatabase, SessionOptions } from './database.js';
import { DatabaseWatch } from './database-watch.js';
import { LongSessions } from './long-sessions.js';
import { NamedSessions } from './named-sessions.js';
import { PoolConnections, PoolMetrics } from './pool-connections.js';
import { serverOf } from './primary-server.js';
import { ReadDatabase } from './read-database.js';
import { Standby } from './standby.js';
import { SessionLocks } from './session-locks.js';
import { areSessionsLimited, pooledConnection, preparingConnection, standbyConnection } from './time-limits.js';
import { PostgresTeamEvents } from './postgres-team-events.js';

export interface DatabaseOptions {
  readonly address: DatabaseAddress;
  readonly poolSize: number;
}

/** Plain SQL on the connection pool of TypeORM's data source (docs/decisions/typeorm.md). Migrations have already run. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot({ address, poolSize }: DatabaseOptions): DynamicModule {
    const isPooled = hasPooler(address);
    const server = serverOf(address.url);
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          type: 'postgres',
          url: server.connectionString,
          synchronize: false,
          migrationsRun: false,
          retryAttempts: 0,
          extra: {
            ...server,
            max: poolSize,
            pipeline: true,
            application_name: 'postrider',
            ...(isPooled ? pooledConnection : preparingConnection),
          },
        }),
      ],
      providers: [
        {
          provide: Database,
          inject: [getDataSourceToken()],
          useFactory: async (dataSource: DataSource) =>
            new Database(poolOf(dataSource), await sessionsOf(dataSource, isPooled)),
        },
        {
          provide: MailDatabase,
          inject: [Database],
          useFactory: ({ pool, sessions }: Database) => new MailDatabase(pool, sessions),
        },
        {
          provide: ReadDatabase,
          inject: [Database, Standby],
          useFactory: (general: Database, standby?: Standby) =>
            new ReadDatabase(general.pool, general.sessions, general, standby),
        },
        {
          provide: Standby,
          inject: [Database, Logger, Metrics],
          useFactory: (primary: Database, logger: Logger, metrics: Metrics) => {
            if (address.readUrl === undefined) return undefined;
            const pool = {
              connectionString: address.readUrl,
              max: poolSize,
              pipeline: true,
              application_name: 'postrider',
            };
            return new Standby(primary, new Pool({ ...pool, ...standbyConnection }), logger, metrics);
          },
        },
        {
          provide: PoolConnections,
          inject: [getDataSourceToken()],
          useFactory: (dataSource: DataSource) => new PoolConnections(poolOf(dataSource)),
        },
        DatabaseWatch,
        { provide: UnitOfWork, useExisting: Database },
        { provide: WorkSignal, useExisting: ProcessNotifications },
        { provide: DirectConnection, useValue: new DirectConnection(address.directUrl) },
        { provide: TeamEvents, useClass: PostgresTeamEvents },
        ProcessNotifications,
        DailyPartitions,
        LongSessions,
        NamedSessions,
        PoolMetrics,
        SessionLocks,
      ],
      exports: [
        Database,
        MailDatabase,
        ReadDatabase,
        UnitOfWork,
        WorkSignal,
        TeamEvents,
        ProcessNotifications,
        DailyPartitions,
        LongSessions,
        NamedSessions,
        SessionLocks,
      ],
    };
  }
}

async function sessionsOf(dataSource: DataSource, isPooled: boolean): Promise<SessionOptions> {
  if (isPooled) return { prepares: false, isLimited: false };
  return { prepares: true, isLimited: await areSessionsLimited(poolOf(dataSource)) };
}

function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
