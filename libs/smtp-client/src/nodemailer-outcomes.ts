import { classifyReply } from '#delivery';
import type { AttemptDetail, DeliveryOutcome, ReplyStage } from '#delivery';

/** What became of a message that was given to a transport of Nodemailer: what its callback got. */
export interface NodemailerResult {
  readonly error: unknown;
  readonly info: unknown;
  /** Whether the transport has read the content to its end. */
  readonly wasRead: boolean;
  /** Name of the module. */
  readonly host: string;
  readonly durationMs: number;
}

const maxTextLength = 1_024;
/** Codes of errors of Nodemailer and of Node that concern the connection, and no message. */
const siteTrouble = new Set(
  (
    'ECONNECTION ETIMEDOUT ESOCKET EDNS EPROXY ETLS EAUTH ENOAUTH EOAUTH2 ECONFIG ECONNREFUSED ECONNRESET ENOTFOUND ' +
    'EAI_AGAIN EHOSTUNREACH ENETUNREACH'
  ).split(' '),
);
/** Replies that ask for other credentials (RFC 4954 section 6). */
const credentialCodes = new Set([530, 534, 535, 538]);

/**
 * One outcome per recipient. Only a reply of SMTP (`responseCode`) bounces a message, and only one that answers MAIL, RCPT, DATA or
 * the content. Everything else may succeed later: an error of an API says as often something about our account as about the mail.
 */
export function outcomesOf(recipients: readonly string[], result: NodemailerResult): readonly DeliveryOutcome[] {
  const { error, info } = result;
  const refusals = refusalsIn(error ?? info);
  if (error !== null && error !== undefined) {
    return recipients.map((recipient) => outcomeOfError(refusals.get(recipient.toLowerCase()) ?? error, result));
  }
  const rejected = new Set(listIn(info, 'rejected').map((address) => addressOf(address)));
  return recipients.map((recipient) => {
    const address = recipient.toLowerCase();
    const refusal = refusals.get(address);
    if (refusal !== undefined) return outcomeOfError(refusal, result);
    if (rejected.has(address)) return outcomeOfError(new Error('the recipient was rejected without a reason'), result);
    return { kind: 'delivered', detail: detailOf(info, result) };
  });
}

function outcomeOfError(error: unknown, result: NodemailerResult): DeliveryOutcome {
  const detail = detailOf(error, result);
  const { replyCode, enhancedCode, replyText = '' } = detail;
  const message = error instanceof Error ? error.message : 'the transport failed without an error';
  const said = replyCode === undefined ? message : `${replyCode} ${replyText}`;
  const reason = `${result.host} said: ${said}`.slice(0, maxTextLength);
  const code = textIn(error, 'code') ?? '';
  if (replyCode === undefined) {
    const isSiteTrouble = siteTrouble.has(code) && !result.wasRead;
    return { kind: 'deferred', reason, outcomeUnknown: result.wasRead, isSiteTrouble, detail };
  }
  const stage = credentialCodes.has(replyCode) ? 'handshake' : stageOf(textIn(error, 'command'));
  const { category, isTemporary } = classifyReply(replyCode, enhancedCode, replyText, stage);
  if (stage === 'handshake') {
    return { kind: 'deferred', reason, outcomeUnknown: false, isSiteTrouble: true, category, detail };
  }
  if (replyCode >= 500 && !isTemporary) return { kind: 'bounced', reason, category, detail };
  return { kind: 'deferred', reason, outcomeUnknown: false, category, detail };
}

/** Which command of the transport was refused. Transports that do not say it refuse the message. */
function stageOf(command: string | undefined): ReplyStage {
  if (command === undefined || /^(?:RCPT TO|DATA)/.test(command)) return 'recipient';
  return command.startsWith('MAIL FROM') ? 'mail' : 'handshake';
}

function detailOf(answer: unknown, { host, durationMs }: NodemailerResult): AttemptDetail {
  const response = textIn(answer, 'response')?.slice(0, maxTextLength);
  const code = numberIn(answer, 'responseCode') ?? Number(/^[2-5]\d\d(?=[ -])/.exec(response ?? '')?.[0]);
  const text = response?.replace(/^\d{3}[ -]/, '');
  return {
    host,
    ...(Number.isInteger(code) && code >= 200 && code < 600 ? { replyCode: code } : {}),
    ...(text === undefined ? {} : { replyText: text, enhancedCode: /^[245]\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0] }),
    durationMs,
  };
}

/** The errors of single recipients, by address. */
function refusalsIn(answer: unknown): ReadonlyMap<string, unknown> {
  return new Map(listIn(answer, 'rejectedErrors').map((error) => [addressOf(fieldOf(error, 'recipient')), error]));
}

function addressOf(recipient: unknown): string {
  const address = typeof recipient === 'string' ? recipient : textIn(recipient, 'address');
  return address?.toLowerCase() ?? '';
}

/** Transports are foreign code: nothing of what they give is sure to have its type. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'number' ? field : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}
