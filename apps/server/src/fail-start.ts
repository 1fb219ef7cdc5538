import { ConfigError } from '#platform/config';
import { DataDirInUseError, EmbeddedPostgresError } from '#postgres/embedded';
import { DatabaseEncodingError, NewerSchemaError } from './database/migrate.js';
import { MissingSecretKeyError } from './secret-key.js';

const forTheOperator = [
  DatabaseEncodingError,
  DataDirInUseError,
  EmbeddedPostgresError,
  MissingSecretKeyError,
  NewerSchemaError,
];

/** Errors that an operator can act on are printed as a sentence, all others with their stack. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration cannot be used:\n  ${error.problems.join('\n  ')}`;
  if (forTheOperator.some((kind) => error instanceof kind)) return (error as Error).message;
  if ((error as { code?: unknown }).code === 'EADDRINUSE') {
    return `${(error as Error).message}\nAnother program listens there: set HTTP_PORT to a free port.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Ends the process, after it has said why. */
export function failStart(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
