import { Id, Moment, OneOf, Shape, Text, TextOrNull, Texts } from '#http/openapi';
import { toResponse } from '#http/server';
import type { InboxDkimResult, InboxMessage } from '../../domain/inbox-message.js';
import { ShownMessage, textOf } from './shown-messages.js';

export const messageId = '0193a1f4-5a31-7e08-b6c2-0d94f3a81e77';

/** One message in a list. */
@Shape('A received message without its content.')
export class MessageSummaryResponse {
  @Id('Id of the message.', messageId) id!: string;
  @Text('The `From` header.', 'Acme <hello@acme.example>') from!: string;
  @Texts('Recipients of the envelope, blind copies included.', ['ada@customer.example']) to!: string[];
  @Text('The `Subject` header.', 'Your order is on its way') subject!: string;
  @Moment('When the message was received.', '2026-11-30 20:40:00.91+00') received_at!: string;
}

@Shape('A received message.')
export class MessageResponse extends MessageSummaryResponse {
  @Text(
    'The whole message as received (RFC 5322), read as UTF-8.',
    'From: Acme <hello@acme.example>\r\n' +
      'To: ada@customer.example\r\n' +
      'Subject: Your order is on its way\r\n' +
      '\r\n' +
      'It arrives on Friday.\r\n',
  )
  raw!: string;
  @TextOrNull('Its HTML; null if it has none.') html!: string | null;
  @TextOrNull('Its text; null if it has none.', 'It arrives on Friday.\r\n') text!: string | null;
  @OneOf(['pass', 'fail', 'none'], 'Whether a DKIM signature verifies; `none` if it has no usable signature.', 'pass')
  dkim!: InboxDkimResult;
}

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
