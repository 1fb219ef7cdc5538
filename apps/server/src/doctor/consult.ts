import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import {
  clientFor,
  DatabaseAddress,
  hasPooler,
  limitedConnection,
  ordinaryLimits,
  pooledConnection,
} from '#postgres/database';
import { DataDirDisk } from '#observability/disk';
import { createFastifyAdapter } from '#http/server';
import { Logger } from '#observability/logging';
import { AppModule } from '../app.module.js';
import { red } from './check.js';
import { DiskCheck } from './checks/disk.check.js';
import { Port25Check } from './checks/port-25.check.js';
import { LoopBack } from './loop-back.js';
import { DoctorReport, RunDoctor } from './run-doctor.js';

export interface Consultation {
  readonly config: Config;
  readonly database: DatabaseAddress;
  readonly secretKey: string;
  readonly adapters?: Adapters;
  /** Sends a message from this domain to itself, instead of the checks. */
  readonly loopBack?: string;
}

/** Runs all checks in a program without roles: it does not listen, does not deliver and, without `loopBack`, changes nothing. */
export async function consult({
  config,
  database,
  secretKey,
  adapters,
  loopBack,
}: Consultation): Promise<DoctorReport> {
  const idle = new Config({ ...config.values, roles: [], doctorListen: undefined });
  const logger = Logger.create('fatal');
  const failure = await connectionFailure(database);
  if (failure !== undefined) return withoutProgram(idle, failure);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot({ config: idle, database, secretKey, logger, adapters: adapters ?? new Adapters() }),
    createFastifyAdapter(),
    { logger, bodyParser: false, abortOnError: false },
  );
  try {
    await app.init();
    return await (loopBack === undefined ? app.get(RunDoctor).diagnose() : app.get(LoopBack).run(loopBack));
  } finally {
    await app.close();
  }
}

async function connectionFailure(database: DatabaseAddress): Promise<Error | undefined> {
  const direct = await failureOf(database.directUrl, limitedConnection(ordinaryLimits));
  return direct ?? (hasPooler(database) ? failureOf(database.url, pooledConnection) : undefined);
}

async function failureOf(url: string, limits: object): Promise<Error | undefined> {
  const client = clientFor(url, limits);
  // Without a listener, losing the connection would end the process. Queries on a lost connection fail anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The checks that work without a database. The program itself cannot be created without one. */
async function withoutProgram(config: Config, error: Error): Promise<DoctorReport> {
  const others = [new DiskCheck(config, new DataDirDisk(config.values.dataDir)), new Port25Check(config)];
  const { checks } = await new RunDoctor({ all: others }).diagnose();
  const fix =
    'Make sure that PostgreSQL is running and that DATABASE_URL (and DATABASE_DIRECT_URL if set) has its address, user and password.';
  const database = { check: 'Database', findings: [red(`cannot be used: ${error.message}`, fix)] };
  return { level: 'red', checks: [database, ...checks] };
}
