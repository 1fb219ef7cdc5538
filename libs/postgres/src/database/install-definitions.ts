import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';
import { SqlDefinition } from './owned-schema.js';

/** The database has newer definitions than this program. `names` are the names of these definitions. */
export class NewerDefinitionsError extends Error {
  constructor(readonly names: readonly string[]) {
    super(`The database has later versions of ${names.join(', ')}`);
  }
}

interface Text {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

/**
 * Installs the definitions that the database does not have yet, in one transaction, in the given order. Returns their
 * names.
 *
 * `installed_definitions` has the SHA-256 of every text that was ever installed under a name. The last one is current.
 * A current text is not installed again, so that nothing is locked if nothing changed. A text that was current earlier
 * belongs to an older program: the function throws `NewerDefinitionsError` and changes nothing. To return to an earlier
 * text on purpose, change a comment in it.
 *
 * The caller holds the migration lock. Processes of the previous version are still running, so a new text must stay
 * compatible with them: it may add columns at the end of a view, and it keeps the arguments of functions that they
 * call.
 */
export async function installDefinitions(
  session: ClientBase,
  definitions: readonly SqlDefinition[],
): Promise<string[]> {
  const texts = await Promise.all(definitions.map(readText));
  const installed = await hashesByName(session);
  const outdated = texts.filter(({ name, hash }) => (installed.get(name) ?? []).slice(1).includes(hash));
  if (outdated.length > 0) throw new NewerDefinitionsError(outdated.map(({ name }) => name));
  const missing = texts.filter(({ name, hash }) => installed.get(name)?.[0] !== hash);
  if (missing.length > 0) await install(session, missing);
  return missing.map(({ name }) => name);
}

async function readText({ name, file }: SqlDefinition): Promise<Text> {
  const text = await readFile(file, 'utf8');
  return { name, text, hash: createHash('sha256').update(text).digest('hex') };
}

/** The hashes of each name, the current one first. */
async function hashesByName(session: ClientBase): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await session.query<{ name: string; hashes: string[] }>(
    'SELECT name, array_agg(hash ORDER BY no DESC) AS hashes FROM installed_definitions GROUP BY name',
  );
  return new Map(rows.map(({ name, hashes }) => [name, hashes]));
}

async function install(session: ClientBase, texts: readonly Text[]): Promise<void> {
  await session.query('BEGIN');
  try {
    for (const { name, text, hash } of texts) {
      await session.query(text);
      await session.query('INSERT INTO installed_definitions (name, hash) VALUES ($1, $2)', [name, hash]);
    }
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
