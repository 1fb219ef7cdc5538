import { ReportedRecipient } from './mail-report.js';
import { Fields, readFields } from './read-parts.js';

const maxRecipients = 100;
/** Blocks of fields that are looked at; of the message as a whole there is one, of each recipient another. */
const maxBlocks = 2 * maxRecipients;
const maxDiagnosticLength = 1_000;
const enhancedCode = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;

export interface DeliveryStatus {
  readonly reporter: string | undefined;
  readonly recipients: readonly ReportedRecipient[];
}

/** Reads a `message/delivery-status` part (RFC 3464), and those that are nearly one. */
export function readDeliveryStatus(text: string): DeliveryStatus {
  const blocks = blocksOf(text);
  const reporter = blocks.map((block) => block.get('reporting-mta')).find((value) => value !== undefined);
  return {
    reporter: reporter === undefined ? undefined : typedValue(reporter),
    recipients: blocks.flatMap((block) => recipientOf(block) ?? []).slice(0, maxRecipients),
  };
}

/** The fields of each recipient; some servers forget the empty line between two of them. */
function blocksOf(text: string): Fields[] {
  const lines: string[] = [];
  let hasRecipient = false;
  let previous = '';
  for (const line of text.split('\n')) {
    const name = /^(original-recipient|final-recipient)[ \t]*:/i.exec(line)?.[1]?.toLowerCase() ?? '';
    if (name !== '' && hasRecipient && previous !== 'original-recipient') lines.push('');
    if (lines[lines.length - 1]?.trim() === '' || line.trim() === '') hasRecipient = false;
    if (name === 'final-recipient') hasRecipient = true;
    previous = name;
    lines.push(line);
  }
  return lines
    .join('\n')
    .split(/\n[ \t]*\n/, maxBlocks)
    .map((block) => readFields(block.replace(/^\n+/, '')));
}

function recipientOf(fields: Fields): ReportedRecipient | undefined {
  const named = ['original-recipient', 'final-recipient'].flatMap((name) => fields.get(name) ?? []);
  if (named.length === 0 && !fields.has('action') && !fields.has('status')) return undefined;
  const code = fields.get('diagnostic-code');
  const diagnostic = code === undefined ? undefined : oneLine(typedValue(code));
  const status = exactStatus(enhancedCode.exec(fields.get('status') ?? '')?.[1], diagnostic);
  const action = actionOf(fields.get('action') ?? '', status);
  if (action === undefined) return undefined;
  return {
    addresses: [...new Set(named.flatMap((value) => addressIn(typedValue(value)) ?? []))],
    action,
    status,
    replyCode: replyCodeIn(diagnostic),
    diagnostic,
  };
}

/** `5.0.0` says nothing: the diagnostic often has the code that the receiver gave. */
function exactStatus(status: string | undefined, diagnostic: string | undefined): string | undefined {
  const quoted = enhancedCode.exec(diagnostic ?? '')?.[1];
  return status === undefined || /\.0\.0$/.test(status) ? (quoted ?? status) : status;
}

function actionOf(action: string, status: string | undefined): ReportedRecipient['action'] | undefined {
  const word = /[a-z]+/i.exec(action)?.[0].toLowerCase() ?? '';
  if (word.startsWith('fail')) return 'failed';
  if (word.startsWith('delay')) return 'delayed';
  if (word === 'delivered' || word === 'relayed' || word === 'expanded') return word;
  switch (status?.[0]) {
    case '5':
      return 'failed';
    case '4':
      return 'delayed';
    case '2':
      return 'delivered';
    default:
      return undefined;
  }
}

/** `rfc822; user@host` without its type. */
function typedValue(value: string): string {
  return value.replace(/^[a-z0-9-]+\s*;\s*/i, '').trim();
}

/** The first thing that looks like an address. Looks from each `@` to both sides, so that no character is looked at twice. */
export function addressIn(text: string): string | undefined {
  for (const [run] of text.matchAll(/[^\s<>"(),:;]+/g)) {
    const at = run.lastIndexOf('@', run.length - 2);
    if (at > 0) return run.slice(Math.max(0, at - 64), at + 256).toLowerCase();
  }
  return undefined;
}

export function replyCodeIn(text: string | undefined): number | undefined {
  const code = /(?<![\d.#-])([245]\d\d)(?=[ -]|$)/.exec(text ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, maxDiagnosticLength).toWellFormed();
}

export function enhancedCodeIn(text: string): string | undefined {
  return enhancedCode.exec(text)?.[1];
}
