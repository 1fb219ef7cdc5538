import { DkimAlgorithm, DkimKeyInfo, DkimPublication } from './domain.js';

const hour = 3_600_000;

/**
 * How long a key stays published after it has signed for the last time: mail may wait three days for its receiver, be
 * forwarded, and be verified again when it is opened.
 */
export const overlapMs = 7 * 24 * hour;

/** How long the answer for a delegated name may stay in caches: a selector that had another key before waits for so long. */
export const delegatedSettleMs = hour;

export interface KeyTransitions {
  readonly keys: readonly DkimKeyInfo[];
  readonly changed: readonly DkimKeyInfo[];
  readonly deletedIds: readonly string[];
}

export interface KeySightings {
  /** Ids of keys whose record is there for everybody. */
  readonly seen: ReadonlySet<string>;
  /** Ids of keys whose record is certainly not there. An unanswered question counts as neither. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Moves keys on by what the DNS shows. A published key takes over from the one before it as soon as it is seen, never
 * earlier; the one before stays in the DNS until the mail it signed has arrived. So every message verifies, whenever it
 * was signed and whenever it is verified.
 */
export function moveKeys(
  keys: readonly DkimKeyInfo[],
  { seen, gone }: KeySightings,
  publication: DkimPublication,
  now: Date,
): KeyTransitions {
  const takingOver = keys.filter(
    (key) => key.state === 'published' && seen.has(key.id) && hasSettled(key, keys, publication, now),
  );
  const next = (key: DkimKeyInfo): DkimKeyInfo => {
    if (takingOver.includes(key)) return { ...key, state: 'signing' };
    if (key.state === 'signing' && takingOver.some(({ algorithm }) => algorithm === key.algorithm)) {
      return { ...key, state: 'retired', retiredAt: now };
    }
    // Ed25519 comes on top of RSA: without its record it would only be a signature that fails.
    if (key.state === 'signing' && key.algorithm === 'ed25519-sha256' && gone.has(key.id)) {
      return { ...key, state: 'published' };
    }
    return key;
  };
  const isOver = (key: DkimKeyInfo): boolean =>
    key.state === 'retired' && now.getTime() - (key.retiredAt ?? now).getTime() >= overlapMs;
  const moved = keys.filter((key) => !isOver(key)).map(next);
  return {
    keys: moved,
    changed: moved.filter((key) => !keys.includes(key)),
    deletedIds: keys.filter(isOver).map(({ id }) => id),
  };
}

function hasSettled(key: DkimKeyInfo, keys: readonly DkimKeyInfo[], publication: DkimPublication, now: Date): boolean {
  const isFirst = !keys.some((other) => other.algorithm === key.algorithm && other.state === 'signing');
  return publication === 'txt' || isFirst || now.getTime() - key.createdAt.getTime() >= delegatedSettleMs;
}

/** Is a rotation under way: a key that waits to take over from one that signs? */
export function isRotating(keys: readonly DkimKeyInfo[], algorithm: DkimAlgorithm = 'rsa-sha256'): boolean {
  return keys.some((key) => key.algorithm === algorithm && key.state === 'published');
}
