import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InboundProgram } from '../../support/programs/inbound-program.js';
import { dmarcXml, gzipped, recordXml, reportMessage } from '../../support/builders/report-samples.js';
import { stretched } from '../../support/runner/stretched.js';

let inbound: InboundProgram;
const begin = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000);

beforeAll(async () => {
  inbound = await InboundProgram.start();
  await inbound.addDomain('other.test');
});
afterAll(() => inbound.stop());

/** A report with hundreds of thousands of different sources: the most expensive one that is read. */
function expensive(id: number): Buffer {
  const records = Array.from({ length: 60_000 }, (_, n) =>
    recordXml({ source: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, count: 1 }, 'acme.test').replace(/\s+/g, ''),
  );
  const xml = dmarcXml({ id: `flood${id}`, begin, records: [] }).replace(
    '</feedback>',
    `${records.join('')}</feedback>`,
  );
  return reportMessage({ type: 'application/gzip', bytes: gzipSync(xml) });
}

it('a flood of expensive reports and of bombs does not keep the reports of others waiting', async () => {
  const flood = expensive(0);
  const bomb = reportMessage({ type: 'application/gzip', bytes: gzipSync(Buffer.alloc(32 * 1024 * 1024)) });
  const to = 'dmarc-reports@send.acme.test';
  const attack = Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      inbound.bring(n % 2 === 0 ? flood : bomb, { to, localAddress: '127.0.1.1' }).catch(String),
    ),
  );
  const records = [{ source: '192.0.2.1', count: 1 }];
  const message = reportMessage(gzipped(dmarcXml({ domain: 'other.test', begin, records })));
  const started = performance.now();
  const reply = await inbound.bring(message, { to: 'dmarc-reports@send.other.test', localAddress: '127.0.2.1' });
  expect(reply).toMatch(/^250/);
  expect(performance.now() - started).toBeLessThan(stretched(15_000));
  const replies = await attack;
  expect(replies.filter((each) => !/^(?:250|451|550)/.test(each))).toEqual([]);
  const health = await inbound.program.request('/domains');
  expect(health.status).toBe(200);
});
