import { AuthenticationResult, Verdicts } from './verdicts.js';

/** The words of the contract for a verdict (docs/wire-contract.md section 8). */
export type ShownVerdict = 'pass' | 'fail' | 'gray' | 'processing_failed' | 'unknown';

export interface ShownVerdicts {
  readonly spf: ShownVerdict;
  readonly dkim: ShownVerdict;
  readonly dmarc: ShownVerdict;
}

export function shownVerdicts({ spf, dkim, dmarc }: Verdicts): ShownVerdicts {
  const best = bestOf(dkim.map(({ result }) => result));
  return { spf: shown(spf.result), dkim: shown(best), dmarc: shown(dmarc.result) };
}

/** One signature that verifies suffices (RFC 6376 section 6.1). */
function bestOf(results: readonly AuthenticationResult[]): AuthenticationResult {
  if (results.includes('pass')) return 'pass';
  if (results.includes('temperror')) return 'temperror';
  return results[0] ?? 'none';
}

function shown(result: AuthenticationResult): ShownVerdict {
  switch (result) {
    case 'pass':
      return 'pass';
    case 'fail':
      return 'fail';
    case 'softfail':
    case 'neutral':
    case 'policy':
      return 'gray';
    case 'temperror':
    case 'permerror':
      return 'processing_failed';
    case 'none':
    case 'skipped':
      return 'unknown';
  }
}
