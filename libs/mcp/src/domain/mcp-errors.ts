import { DomainError } from '#kernel';
import { maxMessageBytes, maxMessageValues } from './message-bounds.js';

/** A page of another site asks: the MCP demands that it is refused, against DNS rebinding. */
export class ForeignOriginError extends DomainError {
  constructor() {
    super('forbidden', 'cross_site_request', 'Pages of other sites may not use `/mcp`: their `Origin` is refused.');
  }
}

export class MessageTooLargeError extends DomainError {
  constructor() {
    super(
      'too_large',
      'validation_error',
      `A message to \`/mcp\` may have at most ${maxMessageBytes / 1024} KB and ${maxMessageValues} values. Send larger emails over the API.`,
    );
  }
}

export class NoStreamError extends DomainError {
  constructor() {
    super('invalid', 'method_not_allowed', 'There are no streams and no sessions: send each message by POST.');
  }
}

/** JSON-RPC has no other words for it. Batches were removed from the MCP in 2025. */
export const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_600, message: 'Batches are refused: send each message as a request of its own.' },
} as const;
