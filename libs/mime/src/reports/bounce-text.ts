import {
  addressIn,
  enhancedCodeIn,
  expiredStatus,
  oneLine,
  replyCodeIn,
  ReportedRecipient,
} from './delivery-status.js';
import { Fields } from './read-parts.js';

/** Patterns for the beginning of the returned message. Its text says nothing about the delivery. */
const returnedMessage = [
  /^-{2,80}.{0,60}(?:original|copy of|below this line|returned|unsent|header of the|forwarded) .{0,40}(?:message|mail|headers?)/im,
  /^-{3,80}\s{0,9}(?:original message|message header|your message|исходное)/im,
  /^original message (?:headers|follows)/im,
  /^(?:received|return-path|dkim-signature|mime-version):/im,
  /^[>|] /m,
];

/** Also a message without a sender. */
const fromServer =
  /^\s*(?:<>)?$|mailer[ -]daemon|postmaster|mail[ -]?(?:delivery|system|administrator)|mdaemon|maildelivery/i;
const subjectOfBounce =
  /undeliver|undelivered|not (?:be )?delivered|deliver(?:y|ed) .{0,20}(?:fail|status|problem|delay|incomplete)|failure notice|returned (?:mail|to sender)|mail (?:delivery )?fail|unzustellbar|nicht zugestellt|non remis|échec|no se ha podido entregar|non recapitabile|недоставленн|не доставлен|could not send|failed delivery|error sending your mail|退信|无法(?:送达|投递)/i;
const openingOfBounce =
  /this is the qmail-send program|this message was created automatically by mail delivery software|i'm sorry to have to inform you|delivery to the following recipients? (?:has )?failed|did not reach the following recipient|^unable to deliver message to the following|^this is the mail system at host/im;

const delayed =
  /(?:has been|is|was) (?:temporarily )?delayed|delivery delayed|not yet been delivered|will (?:keep|continue) (?:on )?(?:try|retry)|will be retried|still (?:be )?(?:being )?(?:try|retri)|delayed mail|do not need to (?:resend|do anything)|no action is required on your part/i;
const gaveUp =
  /permanent|giving up|gave up|given up|could not be delivered|has failed|failed permanently|returned|undeliverable|i'm not going to try again|too long in/i;

/** Reasons in words, for reports without a code. */
const reasons =
  /no such (?:user|address|mailbox|recipient|person)|(?:user|recipient|address|mailbox|account)[^.\n]{0,60}(?:unknown|not (?:be )?(?:found|exist|known|listed|valid|available|recognized)|doesn'?t (?:exist|have)|does not (?:exist|have)|disabled|inactive|full|over ?quota|exceed)|unknown (?:user|recipient|address|local|host)|invalid recipient|(?:mailbox|inbox|quota)[^.\n]{0,30}(?:full|exceed)|not listed in (?:the )?(?:domino directory|public name)|host (?:or domain name |\S{1,255} )?(?:unknown|not found)|no mx record|indicated no smtp service|no such domain|domain does not exist|could not find a gateway|unrouteable|message (?:is )?too (?:large|big)|spam|blocked/i;

/** Reasons in words that mean that no server took or refused the message for too long. */
const expired =
  /time ?out exceeded|hosts have been failing|(?:connection|operation) timed out|timed? ?out in connect|accept our requests to connect|host not reachable|unable to connect|multiple retries|for the last \d+ seconds|failed \d+ attempts|in the queue too long|envelope expired/i;

/** Whether a message without a status part is still a bounce from a mail server. */
export function looksLikeBounce(fields: Fields, text: string): boolean {
  if (fields.has('x-failed-recipients')) return true;
  const isFromServer = fromServer.test(fields.get('from') ?? '');
  const isSubject = subjectOfBounce.test(fields.get('subject') ?? '');
  return (isFromServer && (isSubject || openingOfBounce.test(text))) || (isSubject && openingOfBounce.test(text));
}

/** Reads a bounce that is written for people. Returns the recipients that it names, with the diagnostic it gives. */
export function readBounceText(fields: Fields, text: string): readonly ReportedRecipient[] {
  const said = beforeReturnedMessage(text);
  const failed = (fields.get('x-failed-recipients') ?? '').split(',').flatMap((item) => addressIn(item) ?? []);
  const addresses = failed.length > 0 ? failed : [addressIn(lineOfRecipient(said))].flatMap((item) => item ?? []);
  const { isExpired, status = enhancedCodeIn(said), ...reason } = reasonIn(said);
  const isDelay =
    delayed.test(`${fields.get('subject') ?? ''}\n${said}`) && !(status?.startsWith('5') ?? gaveUp.test(said));
  if (isDelay) return [{ addresses, action: 'delayed', status, ...reason }];
  return [{ addresses, action: 'failed', status: status ?? (isExpired ? expiredStatus : undefined), ...reason }];
}

const maxReasonLength = 1_500;
/** Where the words go on to the next recipient. */
const otherRecipient = /\n\s{0,9}<?[^\s<>]{1,64}@[^\s<>]{1,255}>?:/;

/** Recipients without a diagnostic get the reason that stands behind their address in the words for people. */
export function withReasonsInWords(
  recipients: readonly ReportedRecipient[],
  text: string,
): readonly ReportedRecipient[] {
  const said = beforeReturnedMessage(text);
  const searched = said.toLowerCase();
  return recipients.map((recipient) => {
    const at = Math.max(-1, ...recipient.addresses.map((address) => searched.indexOf(address)));
    if (recipient.diagnostic !== undefined || at < 0) return recipient;
    const [about = ''] = said.slice(at, at + maxReasonLength).split(otherRecipient);
    const { isExpired, status = recipient.status, ...reason } = reasonIn(about);
    if (recipient.status?.endsWith('.0.0') === false) return { ...recipient, ...reason };
    return { ...recipient, ...reason, status: status ?? (isExpired ? expiredStatus : undefined) };
  });
}

function reasonIn(said: string): Pick<ReportedRecipient, 'diagnostic' | 'replyCode' | 'status'> & {
  readonly isExpired: boolean;
} {
  const diagnostic = diagnosticIn(said);
  const replyCode = replyCodeIn(diagnostic);
  const isExpired = replyCode === undefined && expired.test(diagnostic ?? '');
  return { diagnostic, replyCode, status: enhancedCodeIn(diagnostic ?? ''), isExpired };
}

const maxProseLength = 16_000;

function beforeReturnedMessage(whole: string): string {
  // As Zoho writes it: `ERROR_CODE :550, ERROR_CODE :mailbox unavailable`.
  const text = whole.slice(0, maxProseLength).replace(/ERROR_CODE ?:(\d{3}), ERROR_CODE ?:/g, '$1 ');
  const ends = returnedMessage.map((pattern) => text.search(pattern)).filter((at) => at > 0);
  return text.slice(0, Math.min(text.length, 8_000, ...ends));
}

function lineOfRecipient(said: string): string {
  return (
    said
      .split('\n')
      .find((line) => addressIn(line) !== undefined && !/postmaster|mailer-daemon|message-?id:/i.test(line)) ?? ''
  );
}

/** The line with the SMTP reply and its continuation lines, or else the first line with a reason in words. */
function diagnosticIn(said: string): string | undefined {
  const lines = said.split('\n');
  const withCode = lines.findIndex((line) => /(?<![\d.])[45]\d\d[ -]+\S/.test(line) && replyCodeIn(line) !== undefined);
  const withStatus = lines.findIndex((line) => /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])/.test(line));
  const withReason = lines.findIndex((line) => reasons.test(line) || expired.test(line));
  const at = [withCode, withStatus, withReason].find((index) => index >= 0);
  if (at === undefined) return undefined;
  const end = lines.findIndex((line, index) => index > at && line.trim() === '');
  const paragraph = lines.slice(at, Math.min(end < 0 ? lines.length : end, at + 4)).join(' ');
  const reply = /(?<![\d.#-])[45]\d\d[ -]+\S.*/.exec(paragraph)?.[0];
  return oneLine(reply ?? paragraph);
}
