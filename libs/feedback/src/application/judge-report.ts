import { bounceOfDelay, bounceOfRefusal, classifyReply, namesOnlySender, undetermined } from '#delivery';
import type { ReplyCategory } from '#delivery';
import { BounceData, MailReport, ReportedRecipient, ReportRecord, ReportVerdict } from '../domain/mail-report.js';

/** The feedback types (RFC 5965 section 7.3) with which a person objects to an email. */
const complaints = ['abuse', 'fraud', 'opt-out', 'opt-out-list'];

/** `returnPath` is the address that the report came to, if it is known. */
export function judge(
  report: MailReport,
  address: string,
  returnPath = '',
): { readonly verdict: ReportVerdict; readonly record: ReportRecord } {
  const { kind, reporter } = report;
  const nothing = { kind, reporter, action: null, status: null, category: null, diagnostic: null };
  switch (report.kind) {
    case 'delivery':
      return judgeDelivery(report.recipients, address, returnPath, nothing);
    case 'feedback': {
      const { feedbackType } = report;
      const isComplaint = complaints.includes(feedbackType);
      return {
        verdict: { kind: isComplaint ? 'complained' : 'recorded' },
        record: { ...nothing, action: feedbackType },
      };
    }
    case 'automatic':
      return { verdict: { kind: 'recorded' }, record: { ...nothing, action: report.what } };
    case 'unknown':
      return { verdict: { kind: 'recorded' }, record: nothing };
  }
}

function judgeDelivery(
  recipients: readonly ReportedRecipient[],
  address: string,
  returnPath: string,
  nothing: ReportRecord,
): ReturnType<typeof judge> {
  const reported = reportedRecipientFor(recipients, address);
  if (reported === undefined) return { verdict: { kind: 'recorded' }, record: nothing };
  const { action, status = null, diagnostic = null } = reported;
  const record = { ...nothing, action, status, diagnostic };
  if (action === 'delayed') return { verdict: { kind: 'delayed' }, record };
  if (action !== 'failed') return { verdict: { kind: 'recorded' }, record };
  const { category, bounce } = bounceOf(reported, address, returnPath);
  const suppresses = bounce.type === 'Permanent' && category === 'bad-address' && isAbout(reported, address);
  return { verdict: { kind: 'bounced', bounce, suppresses }, record: { ...record, category } };
}

/**
 * The reported recipient with this address. If none has it, the mail was forwarded to an alias or a list: it then counts as
 * failed only if it failed for all reported recipients.
 */
function reportedRecipientFor(
  recipients: readonly ReportedRecipient[],
  address: string,
): ReportedRecipient | undefined {
  const named = recipients.find(({ addresses }) => addresses.includes(address.toLowerCase()));
  if (named !== undefined) return named;
  const [first] = recipients;
  return recipients.every(({ action }) => action === first?.action) ? first : undefined;
}

/** Whether the report concerns this address. A report about a forwarding target at another domain does not. */
function isAbout({ addresses }: ReportedRecipient, address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@')).toLowerCase();
  return addresses.length === 0 || addresses.some((reported) => reported.endsWith(domain));
}

function bounceOf(
  { status, replyCode, diagnostic, addresses }: ReportedRecipient,
  address: string,
  returnPath: string,
): { readonly category: ReplyCategory; readonly bounce: BounceData } {
  const message = diagnostic ?? status ?? 'The mail server gave no reason';
  const quoted = replyCode === undefined ? diagnostic : `smtp; ${diagnostic}`;
  const texts = { message, diagnosticCode: quoted === undefined ? [] : [quoted] };
  if (status === undefined && diagnostic === undefined) {
    return { category: 'unknown', bounce: { ...undetermined, ...texts } };
  }
  // The enhanced status decides, not the reply code: `550 4.4.7 Message expired` is the end of a temporary failure.
  const isTemporary = status === undefined ? (replyCode ?? 550) < 500 : status.startsWith('4');
  const words = (diagnostic ?? '').replace(/^[45]\d\d[ -](?:[45]\.\d{1,3}\.\d{1,3} )?/, '');
  const judged = classifyReply(replyCode ?? (isTemporary ? 450 : 550), status, words).category;
  const isAboutSender = judged === 'bad-address' && namesOnlySender(message, returnPath, [address, ...addresses]);
  const category = isAboutSender ? 'bad-sender' : judged;
  return { category, bounce: { ...(isTemporary ? bounceOfDelay(category) : bounceOfRefusal(category)), ...texts } };
}
