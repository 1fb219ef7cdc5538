import { addressIn, enhancedCodeIn, oneLine, replyCodeIn, ReportedRecipient } from './delivery-status.js';
import { Fields } from './read-parts.js';

/** Patterns for the beginning of the returned message. Its text says nothing about the delivery. */
const returnedMessage = [
  /^-{2,80}.{0,60}(?:original|copy of|below this line|returned|unsent|header of the|forwarded) .{0,40}(?:message|mail|headers?)/im,
  /^-{3,80}\s{0,9}(?:original message|message header|your message|исходное)/im,
  /^original message (?:headers|follows)/im,
  /^(?:received|return-path|dkim-signature|mime-version):/im,
  /^[>|] /m,
];

const fromServer = /mailer-daemon|postmaster|mail[ -]?(?:delivery|system|administrator)|mdaemon|maildelivery/i;
const subjectOfBounce =
  /undeliver|undelivered|not (?:be )?delivered|deliver(?:y|ed) .{0,20}(?:fail|status|problem|delay|incomplete)|failure notice|returned (?:mail|to sender)|mail (?:delivery )?fail|unzustellbar|nicht zugestellt|non remis|échec|no se ha podido entregar|non recapitabile|недоставленн|не доставлен|could not send/i;
const openingOfBounce =
  /this is the qmail-send program|this message was created automatically by mail delivery software|i'm sorry to have to inform you|delivery to the following recipients? (?:has )?failed|^this is the mail system at host/im;

const delayed =
  /(?:has been|is|was) (?:temporarily )?delayed|delivery delayed|not yet been delivered|will (?:keep|continue) (?:on )?(?:try|retry)|will be retried|still (?:be )?(?:being )?(?:try|retri)|delayed mail|do not need to (?:resend|do anything)|no action is required on your part/i;
const gaveUp =
  /permanent|giving up|gave up|given up|could not be delivered|has failed|failed permanently|returned|undeliverable|i'm not going to try again|too long in/i;

/** Reasons in words, for reports without a code. */
const reasons =
  /no such (?:user|address|mailbox|recipient|person)|(?:user|recipient|address|mailbox|account)[^.\n]{0,60}(?:unknown|not (?:be )?(?:found|exist|known|listed|valid|available)|doesn'?t (?:exist|have)|does not (?:exist|have)|disabled|inactive|full|over ?quota|exceed)|unknown (?:user|recipient|address|local)|invalid recipient|(?:mailbox|inbox|quota)[^.\n]{0,30}(?:full|exceed)|not listed in (?:the )?(?:domino directory|public name)|host (?:or domain name )?(?:unknown|not found)|unrouteable|message (?:is )?too (?:large|big)|spam|blocked/i;

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
  const diagnostic = diagnosticIn(said);
  const replyCode = replyCodeIn(diagnostic);
  const status = enhancedCodeIn(diagnostic ?? '') ?? enhancedCodeIn(said);
  const isDelay =
    delayed.test(`${fields.get('subject') ?? ''}\n${said}`) && !(status?.startsWith('5') ?? gaveUp.test(said));
  return [{ addresses, action: isDelay ? 'delayed' : 'failed', status, replyCode, diagnostic }];
}

const maxProseLength = 16_000;

function beforeReturnedMessage(whole: string): string {
  const text = whole.slice(0, maxProseLength);
  const ends = returnedMessage.map((pattern) => text.search(pattern)).filter((at) => at > 0);
  return text.slice(0, Math.min(text.length, 8_000, ...ends));
}

function lineOfRecipient(said: string): string {
  return (
    said.split('\n').find((line) => addressIn(line) !== undefined && !/postmaster|mailer-daemon/i.test(line)) ?? ''
  );
}

/** The line with the SMTP reply and its continuation lines, or else the first line with a reason in words. */
function diagnosticIn(said: string): string | undefined {
  const lines = said.split('\n');
  const withCode = lines.findIndex((line) => /(?<![\d.])[45]\d\d[ -]+\S/.test(line) && replyCodeIn(line) !== undefined);
  const withStatus = lines.findIndex((line) => /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])/.test(line));
  const withReason = lines.findIndex((line) => reasons.test(line));
  const at = [withCode, withStatus, withReason].find((index) => index >= 0);
  if (at === undefined) return undefined;
  const end = lines.findIndex((line, index) => index > at && line.trim() === '');
  const paragraph = lines.slice(at, Math.min(end < 0 ? lines.length : end, at + 4)).join(' ');
  const reply = /(?<![\d.#-])[45]\d\d[ -]+\S.*/.exec(paragraph)?.[0];
  return oneLine(reply ?? paragraph);
}
