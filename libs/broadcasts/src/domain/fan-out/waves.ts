import { Broadcast } from '../broadcast.js';

/**
 * How the audience of a broadcast is divided. A wave is what is sent at one time; nobody is in two.
 *
 * - `all`: one wave, at once.
 * - `ranked`: a share of the audience, chosen by a hash, is the first wave. The rest waits for a decision: that the first share went
 *   well, or which subject has won.
 * - `zones`: one wave for each moment at which the hour has come somewhere.
 */
export type AudiencePlan =
  | { readonly kind: 'all' }
  | { readonly kind: 'ranked'; readonly share: Share; readonly variants: number }
  | {
      readonly kind: 'zones';
      /** The property with the name of the zone. */
      readonly property: string;
      /** The moments at which waves are released, in their order. */
      readonly releases: readonly Date[];
      /** The wave of each zone, by its name in lower case. */
      readonly waveOf: ReadonlyMap<string, number>;
      /** The wave of contacts without a known zone. */
      readonly otherWave: number;
    };

export type Share = { readonly percent: number } | { readonly contacts: number };

/** Parts of a wave, which several workers may work through at the same time. */
export const partsOfWave = 4;

/** What follows from the options of a broadcast, except for zones, whose waves depend on the names of all zones. */
export function rankedPlan({ options }: Pick<Broadcast, 'options'>): AudiencePlan {
  const { test, firstShare } = options;
  if (test !== undefined) {
    return { kind: 'ranked', share: { percent: test.sharePercent }, variants: test.subjects.length + 1 };
  }
  if (firstShare === undefined) return { kind: 'all' };
  const { percent, contacts } = firstShare;
  return {
    kind: 'ranked',
    share: contacts === undefined ? { percent: percent ?? 100 } : { contacts },
    variants: 1,
  };
}

/** The subjects of a broadcast: its own, and those that are tried beside it. */
export function subjectsOf({ subject, options }: Pick<Broadcast, 'subject' | 'options'>): readonly string[] {
  return [subject, ...(options.test?.subjects ?? [])];
}
