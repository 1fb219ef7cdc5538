import { DkimAlgorithm, DkimKeyInfo, DkimPublication } from './domain.js';

const hour = 3_600_000;

/**
 * How long a key stays published after its last signature. Mail may wait three days for its receiver, be forwarded, and
 * be verified again when it is opened.
 */
export const overlapMs = 7 * 24 * hour;

/**
 * How long resolvers may cache the answer for a delegated name. A selector that had another key before waits this long
 * before its new key signs.
 */
export const delegatedSettleMs = hour;

export interface KeyTransitions {
  readonly keys: readonly DkimKeyInfo[];
  readonly changed: readonly DkimKeyInfo[];
  readonly deletedIds: readonly string[];
}

export interface KeySightings {
  /** Ids of keys whose record the DNS has. */
  readonly seen: ReadonlySet<string>;
  /** Ids of keys whose record is missing or wrong. A key whose look-up got no answer is in neither set. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Changes the states of keys by what the DNS shows. A published key replaces the current one once its record has been
 * seen, never earlier. The replaced key stays in the DNS until the mail that it signed has arrived. So every message
 * can be verified, whenever it was signed and whenever it is verified.
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
    // Ed25519 signatures are added to RSA signatures. Without its record an Ed25519 signature can only fail.
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

/** Whether a rotation is under way: a published key waits to replace the one that signs. */
export function isRotating(keys: readonly DkimKeyInfo[], algorithm: DkimAlgorithm = 'rsa-sha256'): boolean {
  return keys.some((key) => key.algorithm === algorithm && key.state === 'published');
}
