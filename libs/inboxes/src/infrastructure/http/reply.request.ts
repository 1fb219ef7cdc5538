import { AttachmentRequest, decodeAttachments, maxRecipients, maxSubjectLength, MissingBodyError } from '#emails';
import { MissingFieldError } from '#kernel';
import type { Text as BodyText } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Flag, ListOf, LongText, Shape, Text, TextMap, TextOrTexts } from '#http/openapi';
import { EmailAnswer, EmailForward, EmailReply } from '../../application/send-from-inbox.use-case.js';
import { maxFileBytes, maxFiles } from '../../domain/draft.js';
import { listOf } from './draft.request.js';

const megabyte = 1024 * 1024;

/** Fields that replies and forwards may have. */
abstract class AnswerFields {
  @TextOrTexts(`Copy recipients. All recipients together are at most ${maxRecipients}.`, {
    optional: true,
    minItems: 0,
    maxItems: maxRecipients,
  })
  cc?: string | string[];
  @TextOrTexts('Blind-copy recipients, which no other recipient sees.', {
    optional: true,
    minItems: 0,
    maxItems: maxRecipients,
  })
  bcc?: string | string[];
  @Text(
    `Subject line without line breaks, at most ${maxSubjectLength} characters. Default: that of the email, with \`Re:\` ` +
      'or `Fwd:` before it.',
    { optional: true, boundedByDomain: { maxLength: maxSubjectLength } },
  )
  subject?: string;
  @LongText('HTML body.', { optional: true }) html?: BodyText;
  @LongText('Plain text body. Derived from `html` where it is absent.', { optional: true }) text?: BodyText;
  @ListOf(AttachmentRequest, `Files, at most ${maxFiles} with ${maxFileBytes / megabyte} MB of \`content\` together.`, {
    optional: true,
    boundedByDomain: { maxItems: maxFiles },
  })
  attachments?: unknown[];
  @TextMap('Further headers by name. `In-Reply-To`, `References` and `Reply-To` are set by the service.', {
    optional: true,
  })
  headers?: Record<string, string>;
}

@Shape('A reply. `html` or `text` is required.')
@Example('text', 'To the author', { text: 'It arrives on Friday.' })
export class ReplyToEmailRequest extends AnswerFields {
  @Flag('Whether everybody who got the email gets the reply.', { optional: true, default: false }) reply_all?: boolean;
}

@Shape('A forward. `html` and `text` stand above the email that is forwarded.')
@Example('colleague', 'To a colleague', { to: ['grace@acme.example'], text: 'Can you answer this?' })
export class ForwardEmailRequest extends AnswerFields {
  @TextOrTexts(`Recipients. All recipients together are at most ${maxRecipients}.`, {
    minItems: 1,
    maxItems: maxRecipients,
  })
  to!: string | string[];
}

export function decodeReply(body: unknown): EmailReply {
  const request = decodeBody(ReplyToEmailRequest, body);
  if (request.html === undefined && request.text === undefined) throw new MissingBodyError();
  return { ...answerOf(request), all: request.reply_all ?? false };
}

export function decodeForward(body: unknown): EmailForward {
  const request = decodeBody(ForwardEmailRequest, body);
  if (request.to.length === 0) throw new MissingFieldError('to');
  return { ...answerOf(request), to: listOf(request.to) };
}

function answerOf({ cc, bcc, subject, html, text, attachments, headers }: AnswerFields): EmailAnswer {
  return {
    cc: listOf(cc),
    bcc: listOf(bcc),
    subject,
    html,
    text,
    attachments: decodeAttachments(attachments) ?? [],
    headers: headers ?? {},
  };
}
