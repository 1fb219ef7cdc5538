import { describe, expect, it } from '@jest/globals';
import { PatientWriter } from './patient-writer.js';

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('PatientWriter', () => {
  it('writes again until the database is back', async () => {
    const waiting: boolean[] = [];
    const writer = new PatientWriter(() => waiting.push(writer.isWaiting));
    let tries = 0;
    const written = writer.write(async () => {
      if (++tries < 3) throw away;
      return tries;
    });
    expect(await written).toBe(3);
    expect(waiting).toEqual([true, true]);
    expect(writer.isWaiting).toBe(false);
  });

  it('rejects immediately with an error that is not temporary', async () => {
    const writer = new PatientWriter(() => undefined);
    const refusal = Object.assign(new Error('duplicate key'), { code: '23505' });
    await expect(writer.write(() => Promise.reject(refusal))).rejects.toBe(refusal);
  });

  it('gives up after one more try once it is stopped', async () => {
    const writer = new PatientWriter(() => writer.stop());
    let tries = 0;
    const written = writer.write(async () => {
      tries++;
      throw away;
    });
    await expect(written).rejects.toBe(away);
    expect([tries, writer.isWaiting]).toEqual([2, false]);
  });
});
