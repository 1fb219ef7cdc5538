import { AttachmentRequest, decodeAttachments, maxRecipients, maxSubjectLength, MissingBodyError } from '#emails';
import { MissingFieldError } from '#kernel';
import type { Text } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Field, OptionalField, Shape } from '#http/openapi';
import { IsArray, IsBoolean, IsDefined, IsObject, IsOptional, IsString } from 'class-validator';
import { EmailAnswer, EmailForward, EmailReply } from '../../application/send-from-inbox.use-case.js';
import { maxFileBytes, maxFiles } from '../../domain/draft.js';
import { AllowedBy, isStringOrStrings, isText, isTextMap, listOf } from './field-rules.js';

const megabyte = 1024 * 1024;
const addresses = {
  oneOf: [{ type: 'string' }, { type: 'array', minItems: 0, maxItems: maxRecipients, items: { type: 'string' } }],
};

/** Fields that replies and forwards may have. */
abstract class AnswerFields {
  @OptionalField(`Copy recipients. All recipients together are at most ${maxRecipients}.`, addresses)
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `cc` field must be a string or an array of strings.')
  cc?: string | string[];

  @OptionalField('Blind-copy recipients, which no other recipient sees.', addresses)
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `bcc` field must be a string or an array of strings.')
  bcc?: string | string[];

  @OptionalField(
    `Subject line without line breaks, at most ${maxSubjectLength} characters. Default: that of the email, with \`Re:\` ` +
      'or `Fwd:` before it.',
    { maxLength: maxSubjectLength },
  )
  @IsOptional()
  @IsString({ message: 'The `subject` field must be a string.' })
  subject?: string;

  @OptionalField('HTML body.')
  @IsOptional()
  @AllowedBy(isText, 'The `html` field must be a string.')
  html?: Text;

  @OptionalField('Plain text body. Derived from `html` where it is absent.')
  @IsOptional()
  @AllowedBy(isText, 'The `text` field must be a string.')
  text?: Text;

  @OptionalField(`Files, at most ${maxFiles} with ${maxFileBytes / megabyte} MB of \`content\` together.`, {
    type: [AttachmentRequest],
    maxItems: maxFiles,
  })
  @IsOptional()
  @IsArray({ message: 'The `attachments` field must be an array.' })
  attachments?: unknown[];

  @OptionalField('Further headers by name. `In-Reply-To`, `References` and `Reply-To` are set by the service.', {
    type: 'object',
    additionalProperties: { type: 'string' },
  })
  @IsOptional()
  @IsObject({ message: 'The `headers` field must be an object.' })
  @AllowedBy(isTextMap, 'The values of the `headers` field must be strings.')
  headers?: Record<string, string>;
}

/** Body of `POST /inboxes/{inbox}/threads/{thread}/emails/{email}/reply`. */
@Shape('A reply. `html` or `text` is required.')
@Example('text', 'To the author', { text: 'It arrives on Friday.' })
export class ReplyToEmailRequest extends AnswerFields {
  @OptionalField('Whether everybody who got the email gets the reply.', { type: Boolean, default: false })
  @IsOptional()
  @IsBoolean({ message: 'The `reply_all` field must be a boolean.' })
  reply_all?: boolean;
}

/** Body of `POST /inboxes/{inbox}/threads/{thread}/emails/{email}/forward`. */
@Shape('A forward. `html` and `text` stand above the email that is forwarded.')
@Example('colleague', 'To a colleague', { to: ['grace@acme.example'], text: 'Can you answer this?' })
export class ForwardEmailRequest extends AnswerFields {
  @Field(`Recipients. All recipients together are at most ${maxRecipients}.`, {
    oneOf: [{ type: 'string' }, { type: 'array', minItems: 1, maxItems: maxRecipients, items: { type: 'string' } }],
  })
  @IsDefined()
  @AllowedBy(isStringOrStrings, 'The `to` field must be a string or an array of strings.')
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
