import { expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { Diagnosis, DiagnosisReport, type Installation, type InstallationState } from './ports/installation.port.js';
import { ReadDiagnosis, ReadInstallation } from './read-installation.query.js';

it('all who look within a second share one reading, and a failure is not kept', async () => {
  const state = { version: '1' } as InstallationState;
  let reads = 0;
  const installation: Installation = {
    read: async () => {
      if (reads++ === 0) throw new Error('away');
      return state;
    },
  };
  const query = new ReadInstallation(installation);
  await expect(query.state()).rejects.toThrow('away');
  expect(await Promise.all([query.state(), query.state()])).toEqual([state, state]);
  expect(reads).toBe(2);
});

class CountedDiagnosis extends Diagnosis {
  runs = 0;

  async run(): Promise<DiagnosisReport> {
    this.runs++;
    return { level: 'green', checks: [] };
  }
}

it('findings are shared for a minute, and fresh ones are made at most every five seconds', async () => {
  const diagnosis = new CountedDiagnosis();
  const clock = new FakeClock(new Date('2026-11-30T00:00:00Z'));
  const query = new ReadDiagnosis(diagnosis, clock);
  await Promise.all([query.findings(false), query.findings(true)]);
  clock.advance(4_000);
  await query.findings(true);
  expect(diagnosis.runs).toBe(1);
  clock.advance(2_000);
  await query.findings(false);
  expect(diagnosis.runs).toBe(1);
  await query.findings(true);
  expect(diagnosis.runs).toBe(2);
  clock.advance(61_000);
  expect((await query.findings(false)).level).toBe('green');
  expect(diagnosis.runs).toBe(3);
});
