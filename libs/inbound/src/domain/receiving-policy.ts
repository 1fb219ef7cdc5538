import { Verdicts } from './verdicts.js';

export interface RefusalPolicy {
  /** Whether mail is refused that fails DMARC if the author's domain asks for it with `p=reject`. */
  readonly enforcesDmarc: boolean;
  /** Whether mail is refused that the scorer takes for spam. */
  readonly refusesSpam: boolean;
  /** Whether mail with a virus is refused. */
  readonly refusesViruses: boolean;
}

/** The operator's choices. */
export class ReceivingPolicy {
  constructor(
    readonly refusals: RefusalPolicy,
    /** Messages of this process that the spam scorer, and the virus scanner, check at the same time. */
    readonly maxScans: number,
  ) {}
}

export interface RefusalReason {
  readonly enhancedCode: string;
  readonly text: string;
}

/** Why a message is refused for its verdicts; undefined if it is not. */
export function refusalFor(verdicts: Verdicts, policy: RefusalPolicy): RefusalReason | undefined {
  const { dmarc, spam, virus } = verdicts;
  if (policy.refusesViruses && virus?.result === 'infected') {
    return { enhancedCode: '5.7.1', text: `The message contains a virus (${safeName(virus.name)})` };
  }
  if (policy.enforcesDmarc && dmarc.result === 'fail' && dmarc.policy === 'reject') {
    const text = `The message does not pass DMARC, and ${dmarc.domain} asks to reject such mail (RFC 7489)`;
    return { enhancedCode: '5.7.26', text };
  }
  if (policy.refusesSpam && spam?.isSpam === true) {
    return { enhancedCode: '5.7.1', text: 'The message looks like spam' };
  }
  return undefined;
}

function safeName(name = 'unknown'): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 100);
}
