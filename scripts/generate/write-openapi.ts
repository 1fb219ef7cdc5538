import { mkdir, writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { createFastifyAdapter } from '#http/server';
import { Logger } from '#observability/logging';
import { ApiDocument } from '#http/openapi';
import { AppModule } from '../../apps/server/src/app.module.js';

export const openApiFile = 'docs/openapi.json';

/** Writes the API description of a program with the default configuration. Starts nothing and needs no database. */
export async function describedApiText(): Promise<string> {
  const options = {
    config: readConfig({}),
    database: { url: 'postgres://127.0.0.1/none', directUrl: 'postgres://127.0.0.1/none' },
    secretKey: Buffer.alloc(32).toString('base64'),
    logger: Logger.create('fatal'),
    adapters: new Adapters(),
  };
  const app = await NestFactory.create(AppModule.forRoot(options), createFastifyAdapter(), {
    preview: true,
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  const api = new ApiDocument();
  api.describe(app, undefined);
  return `${JSON.stringify(api.document(), null, 2)}\n`;
}

if (process.argv[1]?.endsWith('write-openapi.js') === true) {
  await mkdir('docs', { recursive: true });
  await writeFile(openApiFile, await describedApiText());
}
