import { UserCommandError } from '#accounts';
import { DomainError } from '#kernel';
import { explain } from '../fail-start.js';
import { CommandError } from './command.js';

/** Errors that the person who started the command can act on become a sentence, all others their stack. */
export function explainError(error: unknown): string {
  const isSentence = [CommandError, DomainError, UserCommandError].some((kind) => error instanceof kind);
  return isSentence ? (error as Error).message : explain(error);
}
