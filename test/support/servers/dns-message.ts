/** The part of RFC 1035 that the DNS server of the tests needs: names, questions, and the data of the records. */

export const recordTypes = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  TLSA: 52,
  CAA: 257,
} as const;
export type RecordType = keyof typeof recordTypes;
export const responseCodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

export interface Question {
  readonly id: number;
  /** Lower-case, without a trailing dot. */
  readonly name: string;
  readonly type: number;
  /** The received bytes of the question, which the answer repeats. */
  readonly raw: Buffer;
}

export interface AnswerRecord {
  readonly name: string;
  readonly type: RecordType;
  readonly data: Buffer;
  /** Seconds. Default 300. */
  readonly ttl?: number;
}

export interface AnswerOptions {
  readonly code: keyof typeof responseCodes;
  readonly isTruncated?: boolean;
  /** The AD bit, which a resolver sets if it has validated the answer. */
  readonly isAuthenticated?: boolean;
  /** Adds a SOA record: for how many seconds the absence of the record may be cached. */
  readonly absentFor?: number;
}

export function readQuestion(message: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] as number; length > 0; length = message[at] as number) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const end = at + 5;
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at + 1),
    raw: message.subarray(12, end),
  };
}

export function writeAnswer(question: Question, answers: readonly AnswerRecord[], options: AnswerOptions): Buffer {
  const { code, isTruncated = false, isAuthenticated = false, absentFor } = options;
  const header = Buffer.alloc(12);
  header.writeUInt16BE(question.id, 0);
  // Response, authoritative, recursion desired and available, so that stub resolvers accept it as a resolver.
  const flags = 0x8580 | (isTruncated ? 0x0200 : 0) | (isAuthenticated ? 0x0020 : 0) | responseCodes[code];
  header.writeUInt16BE(flags, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt16BE(absentFor === undefined ? 0 : 1, 8);
  const authority = absentFor === undefined ? [] : [soaFor(question.name, absentFor)];
  return Buffer.concat([header, question.raw, ...[...answers, ...authority].map(writeRecord)]);
}

function soaFor(name: string, minimum: number): AnswerRecord {
  const numbers = Buffer.alloc(20);
  numbers.writeUInt32BE(minimum, 16);
  return {
    name,
    type: 'SOA',
    data: Buffer.concat([writeName('ns.test'), writeName('root.test'), numbers]),
    ttl: 3_600,
  };
}

function writeRecord({ name, type, data, ttl = 300 }: AnswerRecord): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(recordTypes[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([writeName(name), fixed, data]);
}

export function writeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  const parts = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]);
  return Buffer.concat([...parts, Buffer.from([0])]);
}

/** One record of several strings. A string above 255 bytes is split, as the format requires. */
export function txtData(strings: readonly string[]): Buffer {
  const pieces = strings.flatMap((text) => text.match(/[\s\S]{1,255}/g) ?? ['']);
  return Buffer.concat(pieces.flatMap((piece) => [Buffer.from([piece.length]), Buffer.from(piece, 'latin1')]));
}

export function mxData(preference: number, exchange: string): Buffer {
  const number = Buffer.alloc(2);
  number.writeUInt16BE(preference);
  return Buffer.concat([number, writeName(exchange)]);
}

/** RFC 8659 section 4.1. */
export function caaData(tag: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0, tag.length]), Buffer.from(tag + value, 'latin1')]);
}

export function tlsaData(usage: number, selector: number, matchingType: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([usage, selector, matchingType]), data]);
}

export function addressData(address: string): Buffer {
  if (address.includes('.')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
