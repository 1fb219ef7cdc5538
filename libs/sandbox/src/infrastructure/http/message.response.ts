import { Id, Moment, OneOf, Text, TextOrNull, Texts } from '#platform/openapi';
import type { DkimVerdict } from '../../domain/inbox-message.js';

/** One message in a list. */
export class MessageSummaryResponse {
  @Id() id!: string;
  @Text() from!: string;
  @Texts() to!: string[];
  @Text() subject!: string;
  @Moment() received_at!: string;
}

export class MessageResponse extends MessageSummaryResponse {
  @Text() raw!: string;
  @TextOrNull() html!: string | null;
  @TextOrNull() text!: string | null;
  @OneOf('pass', 'fail', 'none') dkim!: DkimVerdict;
}
