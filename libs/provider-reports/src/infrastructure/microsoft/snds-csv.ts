import { isIP } from 'node:net';
import { SndsActivity, SndsBlock, sndsFilters } from '../../domain/provider-report.js';

const maxRows = 10_000;
const maxRowLength = 4_000;
const maxReasonLength = 200;

/** Fields of a row of the file `data.aspx`, in its order. It has no line with their names. */
const [addressAt, startAt, recipientsAt, filterAt, complaintsAt, trapsAt] = [0, 1, 5, 6, 7, 10];

/** The activity of addresses. Undefined if the file has rows, and none of them is understood. */
export function readSndsActivity(text: string): SndsActivity[] | undefined {
  return rowsOf(text, (row) => {
    const address = row[addressAt] ?? '';
    const day = dayOf(row[startAt] ?? '');
    const filter = sndsFilters.find((known) => known === row[filterAt]?.toLowerCase());
    if (familyOf(address) === 0 || day === undefined || filter === undefined) return undefined;
    const complaints = row[complaintsAt] ?? '';
    return {
      address,
      day,
      filter,
      complaintRate: /^[<>]? ?\d{1,3}(?:\.\d{1,4})? ?%$/.test(complaints) ? complaints : undefined,
      recipients: countOf(row[recipientsAt]),
      trapHits: countOf(row[trapsAt]),
    };
  });
}

/** The blocked ranges of the file `ipStatus.aspx`: first and last address, whether they are blocked, and why. */
export function readSndsBlocks(text: string): SndsBlock[] | undefined {
  const ranges = rowsOf(text, ([first = '', last = '', blocked = '', reason = '']) => {
    if (familyOf(first) === 0 || familyOf(first) !== familyOf(last)) return undefined;
    const plain = reason
      .slice(0, maxReasonLength)
      .toWellFormed()
      .replace(/\p{Cc}|\p{Cf}/gu, ' ')
      .trim();
    return { first, last, reason: plain, isBlocked: /^(?:yes|true)$/i.test(blocked) };
  });
  return ranges?.filter(({ isBlocked }) => isBlocked).map(({ first, last, reason }) => ({ first, last, reason }));
}

function rowsOf<Value>(text: string, read: (row: readonly string[]) => Value | undefined): Value[] | undefined {
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n', maxRows)
    .filter((line) => line.trim() !== '');
  const values = lines
    .map((line) => read(fieldsOf(line.slice(0, maxRowLength))))
    .filter((value) => value !== undefined);
  return lines.length > 0 && values.length === 0 ? undefined : values;
}

/** The fields of a line of CSV (RFC 4180), without the line breaks that a quoted field may have. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      fields.push(field.trim());
      field = '';
    } else field += character;
  }
  return [...fields, field.trim()];
}

/** 0 also for an address with a zone, which the database does not take. */
function familyOf(address: string): number {
  return address.includes('%') ? 0 : isIP(address);
}

function countOf(text = ''): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** The day of `12/31/2026 7:00 PM`, or of `2026-12-31 19:00`. */
function dayOf(text: string): string | undefined {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text);
  const day =
    american === null
      ? text.slice(0, 10)
      : [american[3], american[1]?.padStart(2, '0'), american[2]?.padStart(2, '0')].join('-');
  return /^2\d{3}-\d\d-\d\d$/.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ? day : undefined;
}
