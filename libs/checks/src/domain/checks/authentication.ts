import { Check, sources } from '../check.js';
import { flaw, good, notMeasured, Verdict } from '../finding.js';
import { CheckedMessage, RecordFacts } from '../message-facts.js';

const inSandbox = 'Mail of the sandbox domain never leaves this machine.';

const dkimSignature: Check = {
  id: 'dkim_signature',
  source: sources.rfc(6376, '6.1', 'Verifying signatures'),
  of: ({ message: { signatures }, domain }) => {
    const own = signatures.filter((signature) => signature.domain === domain.name);
    const valid = own.filter(({ isValid }) => isValid);
    if (valid.length > 0) {
      const [{ selector, algorithm }] = valid as [(typeof valid)[number]];
      return good(`The signature of ${domain.name} (${algorithm}, selector ${selector}) is valid over these bytes.`);
    }
    return own.length === 0
      ? flaw(
          'problem',
          `The email has no signature by ${domain.name}.`,
          'Verify the domain so that its email is signed.',
        )
      : flaw(
          'problem',
          `The signature of ${domain.name} is not valid over these bytes.`,
          'Rotate the key of the domain.',
        );
  },
};

const dkimRecord: Check = {
  id: 'dkim_record',
  source: sources.rfc(6376, '3.6.2', 'Using DNS to bind a key to a domain'),
  of: (checked) => recordVerdict(checked, ['DKIM'], 'problem'),
};

const minRsaBits = 2048;

const dkimKeySize: Check = {
  id: 'dkim_key_size',
  source: sources.rfc(8301, '3.2', 'Key sizes'),
  of: ({ message: { signatures } }) => {
    const sizes = signatures.flatMap(({ keyBits }) => keyBits ?? []);
    if (sizes.length === 0) return notMeasured('No RSA signature was verified.');
    const bits = Math.min(...sizes);
    if (bits >= minRsaBits) return good(`The RSA key has ${bits} bits.`);
    const fix = 'Rotate the key of the domain: new keys have 2,048 bits.';
    return flaw(bits < 1024 ? 'problem' : 'warning', `The RSA key has ${bits} bits.`, fix);
  },
};

const dayMs = 86_400_000;
/** Six months. */
const maxKeyAgeDays = 183;

const dkimKeyAge: Check = {
  id: 'dkim_key_age',
  source: sources.keyRotation,
  of: ({ domain: { isSandbox, signingKeyMadeAt }, createdAt }) => {
    if (isSandbox) return notMeasured(inSandbox);
    if (signingKeyMadeAt === null) return notMeasured('No key of the domain signs.');
    const days = Math.max(0, Math.floor((createdAt.getTime() - signingKeyMadeAt.getTime()) / dayMs));
    const evidence = `The key was made on ${signingKeyMadeAt.toISOString().slice(0, 10)}, ${days} days before the email.`;
    if (days <= maxKeyAgeDays) return good(evidence);
    return flaw('advice', evidence, 'Rotate the key of the domain every six months.');
  },
};

const spf: Check = {
  id: 'spf',
  source: sources.rfc(7208, '4', 'The check_host() function'),
  of: (checked) => recordVerdict(checked, ['SPF'], 'problem'),
};

const returnPath: Check = {
  id: 'return_path',
  source: sources.rfc(7489, '3.1.2', 'SPF-authenticated identifiers'),
  of: ({ domain: { name, site, returnPathHost } }) =>
    returnPathHost === site || returnPathHost.endsWith(`.${site}`)
      ? good(`Bounces come back to ${returnPathHost}, which belongs to the domain of the sender.`)
      : flaw(
          'warning',
          `Bounces come back to ${returnPathHost}, which does not belong to ${name}.`,
          'Give the domain a return path of its own, so that SPF counts for DMARC.',
        ),
};

const dmarc: Check = {
  id: 'dmarc',
  source: sources.gmail,
  of: (checked) => recordVerdict(checked, ['DMARC'], 'warning'),
};

export const authenticationChecks = [dkimSignature, dkimRecord, dkimKeySize, dkimKeyAge, spf, returnPath, dmarc];

/** About the records as their last check found them. */
function recordVerdict({ domain }: CheckedMessage, kinds: readonly string[], worst: 'problem' | 'warning'): Verdict {
  if (domain.isSandbox) return notMeasured(inSandbox);
  const records = domain.records.filter(({ kind }) => kinds.includes(kind));
  const bad = records.find(({ status }) => status === 'failed') ?? records.find(isInDoubt);
  if (bad !== undefined) return aboutRecord(bad, bad.status === 'temporary_failure' ? 'warning' : worst);
  const known = records.filter(({ status }) => status === 'verified');
  if (known.length === 0) return notMeasured('The DNS records of the domain have not been checked yet.');
  return good(`The expected ${kinds.join(', ')} records were published at the last check.`);
}

const isInDoubt = ({ status, advice }: RecordFacts): boolean =>
  status === 'temporary_failure' || (status !== 'verified' && advice !== undefined);

function aboutRecord({ kind, name, advice }: RecordFacts, status: 'problem' | 'warning'): Verdict {
  const fix = 'Publish the record shown on the page of the domain.';
  return flaw(status, advice ?? `The ${kind} record at ${name} was not found.`, fix);
}
