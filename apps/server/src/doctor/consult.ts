import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client } from 'pg';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { DatabaseAddress, hasPooler, limitedConnection, ordinaryLimits, pooledConnection } from '#platform/database';
import { DataDirDisk } from '#platform/disk';
import { createFastifyAdapter } from '#platform/http';
import { Logger } from '#platform/logging';
import { AppModule } from '../app.module.js';
import { red } from './check.js';
import { DiskCheck } from './checks/disk.check.js';
import { Port25Check } from './checks/port-25.check.js';
import { DoctorReport, RunDoctor } from './run-doctor.js';

export interface Consultation {
  readonly config: Config;
  readonly database: DatabaseAddress;
  readonly secretKey: string;
  readonly adapters?: Adapters;
}

/** Runs all checks in a program that has no role: it neither listens nor delivers, and changes nothing. */
export async function consult({ config, database, secretKey, adapters }: Consultation): Promise<DoctorReport> {
  const idle = new Config({ ...config.values, roles: [], doctorListen: undefined });
  const logger = Logger.create('fatal');
  const trouble = await connectionTrouble(database);
  if (trouble !== undefined) return withoutProgram(idle, trouble);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot({ config: idle, database, secretKey, logger, adapters: adapters ?? new Adapters() }),
    createFastifyAdapter(),
    { logger, bodyParser: false, abortOnError: false },
  );
  try {
    await app.init();
    return await app.get(RunDoctor).execute();
  } finally {
    await app.close();
  }
}

async function connectionTrouble(database: DatabaseAddress): Promise<Error | undefined> {
  const direct = await troubleWith(database.directUrl, limitedConnection(ordinaryLimits));
  return direct ?? (hasPooler(database) ? troubleWith(database.url, pooledConnection) : undefined);
}

async function troubleWith(connectionString: string, limits: object): Promise<Error | undefined> {
  const client = new Client({ connectionString, ...limits });
  // What is asked of a lost connection fails by itself; without a listener the loss would end the process.
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

/** What can still be said without a database, for want of which the program cannot even be put together. */
async function withoutProgram(config: Config, error: Error): Promise<DoctorReport> {
  const others = [new DiskCheck(config, new DataDirDisk(config.values.dataDir)), new Port25Check(config)];
  const { checks } = await new RunDoctor({ all: others }).execute();
  const fix =
    'See that PostgreSQL is running and that DATABASE_URL, and DATABASE_DIRECT_URL where there is one, name it, its user and its password.';
  const database = { check: 'Database', findings: [red(`cannot be used: ${error.message}`, fix)] };
  return { level: 'red', checks: [database, ...checks] };
}
