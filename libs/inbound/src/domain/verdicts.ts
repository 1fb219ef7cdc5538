/** Results of RFC 8601. `temperror` is trouble of ours or of the DNS: the check can be right another time. */
export type AuthenticationResult =
  'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'policy' | 'temperror' | 'permerror' | 'skipped';

/** SPF (RFC 7208) of the envelope sender, or of the HELO name if the sender is empty. */
export interface SpfVerdict {
  readonly result: AuthenticationResult;
  /** The domain that was checked. */
  readonly domain: string;
}

/** One DKIM signature (RFC 6376). */
export interface DkimVerdict {
  readonly result: AuthenticationResult;
  readonly domain: string;
  readonly selector: string;
  /** Whether the signing domain is aligned with the domain of the author. */
  readonly aligned: boolean;
  /** Why it does not verify, in a few words. */
  readonly reason?: string;
}

export interface DmarcVerdict {
  readonly result: AuthenticationResult;
  /** The domain of the author (`From`); empty if there is none, or several. */
  readonly domain: string;
  /** What the owner of that domain asks for. Undefined if it publishes no policy. */
  readonly policy?: 'none' | 'quarantine' | 'reject';
  /** What proves the author, also where the domain publishes no policy. */
  readonly alignedBy: readonly ('spf' | 'dkim')[];
}

/** The ARC chain (RFC 8617). */
export interface ArcVerdict {
  readonly result: AuthenticationResult;
  /** The number of sets in the chain. */
  readonly sets: number;
  /** The domain of the newest seal. */
  readonly domain?: string;
}

/** Forward-confirmed reverse DNS of the client: a name of its address that leads back to the address. */
export interface FcrdnsVerdict {
  readonly result: 'pass' | 'fail' | 'none' | 'temperror';
  readonly name?: string;
}

export interface SpamVerdict {
  readonly score: number;
  /** The score from which the scorer takes a message for spam. */
  readonly requiredScore: number;
  readonly isSpam: boolean;
  /** The rules that matched, with their scores. */
  readonly symbols: Readonly<Record<string, number>>;
}

export interface VirusVerdict {
  /** `unscanned`: the scanner was away, or the message is larger than it takes. */
  readonly result: 'clean' | 'infected' | 'unscanned';
  /** What the scanner calls it. */
  readonly name?: string;
}

/** What is known about the origin of a received email. Facts, kept with it. */
export interface Verdicts {
  readonly spf: SpfVerdict;
  readonly dkim: readonly DkimVerdict[];
  readonly dmarc: DmarcVerdict;
  readonly arc: ArcVerdict;
  readonly fcrdns: FcrdnsVerdict;
  /** Null if no scorer is configured, or it did not respond. */
  readonly spam: SpamVerdict | null;
  /** Null if no scanner is configured. */
  readonly virus: VirusVerdict | null;
  /** Why no program may answer it (RFC 3834): a field of its header, `null-sender` or `program-address`. */
  readonly automatic?: string;
  /** How many programs of this service have answered each other until it was sent. Absent: none. */
  readonly depth?: number;
}
