import { createHash } from 'node:crypto';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { newId } from '#kernel';
import { Database } from '#postgres/database';

export interface SecondTeam {
  readonly id: string;
  readonly apiKey: string;
}

/** Adds a second team with its own full-access key. */
export async function addSecondTeam(app: NestFastifyApplication): Promise<SecondTeam> {
  const database = app.get(Database);
  const id = newId();
  const apiKey = `re_second_${id.replaceAll('-', '')}`;
  await database.execute({ text: `INSERT INTO teams VALUES ($1, 'Second team', now())`, values: [id] });
  await database.execute({
    text: `INSERT INTO api_keys (id, team_id, name, permission, token_hash, created_at)
           VALUES ($1, $2, 'Key', 'full_access', $3, now())`,
    values: [newId(), id, createHash('sha256').update(apiKey).digest()],
  });
  return { id, apiKey };
}
