import { toResponse } from '#http/server';
import { InboxDkimResult, InboxMessage } from '../../domain/inbox-message.js';
import { MessageResponse, MessageSummaryResponse } from './message.response.js';
import { ShownMessage, textOf } from './shown-messages.js';

/** The fields of a `MessageResponse`, large ones in pieces. */
type MessageInPieces = {
  readonly [Field in keyof MessageResponse]: MessageResponse[Field] | AsyncIterable<Uint8Array> | null;
};

/** One message in a list. */
export const messageSummary = (message: InboxMessage): MessageSummaryResponse =>
  toResponse(MessageSummaryResponse, message);

/**
 * One message with all its parts. Large parts are sent piece by piece. `raw` is read as UTF-8: of other encodings
 * only the ASCII characters are preserved.
 */
export function messageResponse({ message, raw, parsed }: ShownMessage, dkim: InboxDkimResult): MessageInPieces {
  return {
    ...messageSummary(message),
    raw: textOf(raw),
    html: textOf(parsed.html),
    text: textOf(parsed.text),
    dkim,
  };
}
