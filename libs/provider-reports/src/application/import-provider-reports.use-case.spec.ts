import { beforeEach, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryProviderReports } from '../../../../test/support/fakes/in-memory-provider-reports.js';
import { ProviderTrouble, SndsReport } from '../domain/provider-report.js';
import { ImportProviderReports } from './import-provider-reports.use-case.js';
import { NetworkData, PostmasterAccount, PostmasterTools } from './ports/provider-reports.port.js';

const hourMs = 3_600_000;
const email = 'postrider@acme.test';
const day = { day: '2026-11-28', shares: { spam: 0.001 } };
const report: SndsReport = { activity: [], blocks: [{ first: '192.0.2.1', last: '192.0.2.1', reason: '' }] };

class Google extends PostmasterTools {
  isConfigured = true;
  trouble: Error | undefined;
  readonly asked: string[][] = [];
  signIns = 0;

  async signIn(): Promise<PostmasterAccount> {
    this.signIns += 1;
    if (this.trouble !== undefined) throw this.trouble;
    return {
      email,
      domains: async () => ['acme.test', 'refused.test', 'nobodys.test'],
      daysOf: async (...asked) => {
        this.asked.push(asked);
        return asked[0] === 'refused.test' ? 'not_shared' : [day];
      },
    };
  }
}

class Microsoft extends NetworkData {
  isConfigured = true;

  async read(): Promise<SndsReport> {
    return report;
  }
}

let google: Google;
let microsoft: Microsoft;
let reports: InMemoryProviderReports;
let clock: FakeClock;
let imports: ImportProviderReports;

beforeEach(() => {
  [google, microsoft, reports] = [new Google(), new Microsoft(), new InMemoryProviderReports()];
  clock = new FakeClock(new Date('2026-11-30T10:00:00Z'));
  imports = new ImportProviderReports(google, microsoft, reports, clock);
  reports.domains = ['acme.test', 'refused.test', 'other.test'].map((name) => ({ id: `id of ${name}`, name }));
});

it('imports what is about our domains, and says which are not shared', async () => {
  expect(await imports.run()).toEqual([]);
  expect(google.asked).toEqual([
    ['acme.test', '2026-09-01', '2026-11-30'],
    ['refused.test', '2026-09-01', '2026-11-30'],
  ]);
  expect([...reports.days]).toEqual([['id of acme.test', [day]]]);
  expect(reports.stored).toEqual(report);
  expect((await reports.states())[0]).toMatchObject({
    account: email,
    note: `told about 1 of our verified domains; 2 are not shared with ${email}: refused.test, other.test`,
  });
});

it('asks once a day, then for the days that may have changed', async () => {
  await imports.run();
  clock.advance(23 * hourMs);
  await imports.run();
  expect(google.signIns).toBe(1);
  clock.advance(hourMs);
  await imports.run();
  expect(google.asked.at(2)).toEqual(['acme.test', '2026-11-24', '2026-12-01']);
});

it('a failure is told once and tried again after an hour', async () => {
  google.trouble = new ProviderTrouble('Google answered with the status 503');
  expect(await imports.run()).toEqual([{ source: 'google', trouble: 'Google answered with the status 503' }]);
  expect(reports.stored).toEqual(report);
  expect(await imports.run()).toEqual([]);
  clock.advance(hourMs);
  expect(await imports.run()).toEqual([]);
  expect(google.signIns).toBe(2);
  google.trouble = undefined;
  clock.advance(hourMs);
  await imports.run();
  expect((await reports.states())[0]).toMatchObject({ trouble: undefined, succeededAt: clock.now() });
});

it('other errors are not hidden, and nothing is asked that is not configured', async () => {
  google.trouble = new Error('The database is away');
  await expect(imports.run()).rejects.toThrow('away');
  google.isConfigured = false;
  expect(imports.isConfigured).toBe(true);
  microsoft.isConfigured = false;
  expect(imports.isConfigured).toBe(false);
  clock.advance(48 * hourMs);
  expect(await imports.run()).toEqual([]);
  expect(google.signIns).toBe(1);
});
