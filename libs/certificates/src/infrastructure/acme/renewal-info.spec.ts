import { expect, it } from '@jest/globals';
import { certificateId, windowIn } from './renewal-info.js';

/** The certificate of RFC 9773 appendix A. */
const chain = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----`;

it('names a certificate like the example of RFC 9773', () => {
  expect(certificateId(chain)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
});

it('takes a window only if it is one', () => {
  const [start, end] = ['2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'];
  expect(windowIn({ suggestedWindow: { start, end } })).toEqual({ start: new Date(start), end: new Date(end) });
  for (const odd of [
    undefined,
    null,
    1,
    {},
    { suggestedWindow: { start } },
    { suggestedWindow: { start: end, end: start } },
  ])
    expect(windowIn(odd)).toBeUndefined();
});
