import { htmlToText } from '../html-to-text.js';
import { looksLikeBounce, readBounceText, withReasonsInWords } from './bounce-text.js';
import { addressIn, MailReport, readDeliveryStatus } from './delivery-status.js';
import { Fields, ReportPart, readFields, readParts, ReadMessage } from './read-parts.js';

const deliveryStatusTypes = ['message/delivery-status', 'message/global-delivery-status'];

/**
 * Classifies a message to a return path: a delivery report (RFC 3464, or in prose), a spam report (RFC 5965), an automatic
 * reply (RFC 3834), or unknown. The result is what the message claims; the caller decides whether to believe it. Structured
 * formats are checked first, because a structured bounce may also be marked as an automatic reply.
 */
export function readReport(content: Uint8Array): MailReport {
  const message = readParts(content);
  const sender = addressIn(message.fields.get('from') ?? '') ?? 'unknown';
  return (
    deliveryReport(message, sender) ??
    feedbackReport(message, sender) ??
    receipt(message, sender) ??
    automaticReply(message, sender) ??
    bounceInProse(message, sender) ?? { kind: 'unknown', reporter: sender }
  );
}

function deliveryReport(message: ReadMessage, sender: string): MailReport | undefined {
  const { leaves, reportType } = message;
  const part = leaves.find(
    ({ type, text }) =>
      deliveryStatusTypes.includes(type) || (reportType === 'delivery-status' && /^\s*reporting-mta:/i.test(text)),
  );
  if (part === undefined) return undefined;
  const { reporter = sender, recipients } = readDeliveryStatus(part.text);
  if (recipients.length === 0) return undefined;
  // Making text of html takes time, and most reports say the reason where it belongs.
  const areExplained = recipients.every(({ diagnostic }) => diagnostic !== undefined);
  const explained = areExplained ? recipients : withReasonsInWords(recipients, textOf(message));
  return { kind: 'delivery', reporter, recipients: explained };
}

function feedbackReport({ fields, leaves }: ReadMessage, sender: string): MailReport | undefined {
  const part = leaves.find(({ type }) => type === 'message/feedback-report');
  if (part !== undefined) {
    const report = readFields(part.text);
    const feedbackType = /[a-z-]{1,40}/.exec(report.get('feedback-type')?.toLowerCase() ?? '')?.[0] ?? 'other';
    const reporter = report
      .get('reporting-mta')
      ?.replace(/^[a-z0-9-]+\s*;\s*/i, '')
      .trim();
    return { kind: 'feedback', reporter: reporter === undefined || reporter === '' ? sender : reporter, feedbackType };
  }
  return isJunkMailReport(fields, leaves) ? { kind: 'feedback', reporter: sender, feedbackType: 'abuse' } : undefined;
}

/** Microsoft's Junk Mail Reporting Program (JMRP) forwards the message and adds only its original recipient. */
function isJunkMailReport(fields: Fields, leaves: readonly ReportPart[]): boolean {
  const original = leaves.find(({ type }) => type === 'message/rfc822');
  if (original === undefined) return false;
  if (/^x-hmxmroriginalrecipient:/im.test(original.text)) return true;
  return /^complaint about message from /i.test(fields.get('subject') ?? '');
}

function receipt({ leaves, reportType }: ReadMessage, sender: string): MailReport | undefined {
  const isReceipt =
    reportType === 'disposition-notification' || leaves.some(({ type }) => type === 'message/disposition-notification');
  return isReceipt ? { kind: 'automatic', reporter: sender, what: 'receipt' } : undefined;
}

const challengeSubject =
  /(?:please )?(?:confirm|verify) (?:your|that you|you are)|confirmation (?:required|needed)|challenge|spam ?arrest|boxbe|waiting list|awaiting verification|action required: approve/i;
const absenceSubject =
  /out of (?:the )?office|auto(?:matic|mated|matische)?[ -]?(?:reply|response|respon[ds]er|antwort)|abwesen|absence|away from|on (?:vacation|holiday|leave)|réponse automatique|absent|respuesta automática|risposta automatica|fuera de (?:la )?oficina|автоответ|自動(?:返信|回覆|応答)|自动(?:回复|答复)/i;

function automaticReply(message: ReadMessage, sender: string): MailReport | undefined {
  const { fields } = message;
  const subject = fields.get('subject') ?? '';
  const isAbsence = absenceSubject.test(subject);
  if (!isAbsence && looksLikeBounce(fields, textOf(message))) return undefined;
  if (fields.has('x-boxbe-challenge') || challengeSubject.test(subject)) {
    return { kind: 'automatic', reporter: sender, what: 'challenge' };
  }
  const submitted = fields.get('auto-submitted') ?? 'no';
  const isAutomatic =
    isAbsence ||
    !/^no\b/i.test(submitted) ||
    /auto[_-]?reply/i.test(fields.get('precedence') ?? '') ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-response-suppress'].some((name) => fields.has(name));
  return isAutomatic ? { kind: 'automatic', reporter: sender, what: 'auto-reply' } : undefined;
}

function bounceInProse(message: ReadMessage, sender: string): MailReport | undefined {
  const text = textOf(message);
  if (!looksLikeBounce(message.fields, text)) return undefined;
  return { kind: 'delivery', reporter: sender, recipients: readBounceText(message.fields, text) };
}

function textOf({ leaves }: ReadMessage): string {
  const plain = leaves.find(({ type, text }) => type === 'text/plain' && text.trim() !== '');
  if (plain !== undefined) return plain.text;
  const html = leaves.find(({ type }) => type === 'text/html');
  return html === undefined ? '' : htmlToText(html.text);
}
