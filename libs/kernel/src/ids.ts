/** How far ids may be ahead of the system's clock (ms). */
const maxAheadMs = 10_000;

/**
 * UUIDv7 (RFC 9562 section 5.7): ordered by time, so that an id is also a page cursor and a partition key.
 *
 * Ids of one process ascend strictly: `rand_a` starts at a random value in each millisecond and counts up from it. They
 * follow a clock that is set back only if they would be far ahead of it, after a wrong reading.
 */
const pool = new Uint8Array(8 * 512);
let poolOffset = pool.length;
let lastMillisecond = 0;
let sequence = 0;
/** Of `lastMillisecond`: many ids are made within one. */
let lastPrefix = timePrefix(0);

const hex: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function newId(now: number = Date.now()): string {
  if (poolOffset === pool.length) {
    globalThis.crypto.getRandomValues(pool);
    poolOffset = 0;
  }
  const at = poolOffset;
  poolOffset += 8;

  if (now > lastMillisecond || (now < lastMillisecond - maxAheadMs && Date.now() < lastMillisecond - maxAheadMs)) {
    lastMillisecond = now;
    lastPrefix = timePrefix(now);
    sequence = (byte(at) << 3) | (byte(at + 1) & 0x07);
  } else if (++sequence > 0xfff) {
    lastPrefix = timePrefix(++lastMillisecond);
    sequence = 0;
  }

  const randA = 0x7000 | sequence;
  return (
    lastPrefix +
    `-${octet(randA >> 8)}${octet(randA & 0xff)}` +
    `-${octet(0x80 | (byte(at + 1) >> 2))}${octet(byte(at + 2))}` +
    `-${octet(byte(at + 3))}${octet(byte(at + 4))}${octet(byte(at + 5))}${octet(byte(at + 6))}${octet(byte(at + 7))}` +
    octet(byte(at) ^ byte(at + 7))
  );
}

/** The smallest UUIDv7 of a moment: the lower bound of a range of ids. */
export function firstIdAt(moment: Date): string {
  return `${timePrefix(moment.getTime())}-0000-0000-000000000000`;
}

const dayMs = 86_400_000;

/** The ids of a moment's day (UTC): from the first up to, but not including, the second. */
export function idsOfDay(moment: Date): readonly [first: string, end: string] {
  const start = Math.floor(moment.getTime() / dayMs) * dayMs;
  return [firstIdAt(new Date(start)), firstIdAt(new Date(start + dayMs))];
}

/** When an id was made, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

function timePrefix(milliseconds: number): string {
  const text = milliseconds.toString(16).padStart(12, '0');
  return `${text.slice(0, 8)}-${text.slice(8)}`;
}

function octet(value: number): string {
  return hex[value & 0xff] as string;
}

function byte(index: number): number {
  return pool[index] as number;
}
