import { expect, it } from '@jest/globals';
import { zoneFile } from './zone-file.js';

it('names are whole, long texts are cut into strings, and quotes are escaped', () => {
  const text = zoneFile('acme.test', [
    { host: 'send.acme.test', type: 'MX', value: 'mail.acme.test', priority: 10 },
    { host: 'links.acme.test', type: 'CNAME', value: 'track.example.test.' },
    { host: 'k._domainkey.acme.test', type: 'TXT', value: `p="${'A'.repeat(254)}` },
  ]);
  expect(text.split('\n')).toEqual([
    '; DNS records of acme.test',
    'send.acme.test.\t3600\tIN\tMX\t10 mail.acme.test.',
    'links.acme.test.\t3600\tIN\tCNAME\ttrack.example.test.',
    `k._domainkey.acme.test.\t3600\tIN\tTXT\t"p=\\"${'A'.repeat(252)}" "AA"`,
    '',
  ]);
});
