import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredStsPolicy, StsPolicyStore } from '../../libs/mx/src/application/ports/sts-policy-store.port.js';

export interface StsPolicyStoreSubject {
  readonly store: StsPolicyStore;
  dispose(): Promise<void>;
}

const now = new Date('2026-11-21T12:00:00Z');
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
const policyOf = (domain: string, fields: Partial<StoredStsPolicy> = {}): StoredStsPolicy => ({
  domain,
  policyId: '1',
  mode: 'enforce',
  mx: ['mx.site.test', '*.site.test'],
  maxAge: 600,
  fetchedAt: now,
  ...fields,
});

/** The tests that every `StsPolicyStore` must pass. */
export function describeStsPolicyStore(name: string, create: () => Promise<StsPolicyStoreSubject>): void {
  describe(`${name} as a StsPolicyStore`, () => {
    let subject: StsPolicyStoreSubject;

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(() => subject.dispose());

    test('a saved policy is found unchanged until it expires', async () => {
      await subject.store.save(policyOf('a.test'));

      expect(await subject.store.find('a.test', after(599))).toEqual(policyOf('a.test'));
      expect(await subject.store.find('a.test', after(601))).toBeUndefined();
      expect(await subject.store.find('b.test', now)).toBeUndefined();
    });

    test('a newer policy replaces the earlier one of the same domain only', async () => {
      const newer = policyOf('a.test', { policyId: '2', mode: 'none', mx: [], maxAge: 1_200, fetchedAt: after(60) });
      await subject.store.save(policyOf('a.test'));
      await subject.store.save(policyOf('b.test'));
      await subject.store.save(newer);

      expect(await subject.store.find('a.test', after(700))).toEqual(newer);
      expect(await subject.store.find('b.test', now)).toEqual(policyOf('b.test'));
    });

    test('an expired policy does not prevent saving others, even one of the same domain', async () => {
      await subject.store.save(policyOf('a.test'));
      await subject.store.save(policyOf('b.test', { fetchedAt: after(3_600) }));
      await subject.store.save(policyOf('a.test', { fetchedAt: after(3_600) }));

      expect(await subject.store.find('a.test', after(3_601))).toMatchObject({ domain: 'a.test' });
      expect(await subject.store.find('b.test', after(3_601))).toMatchObject({ domain: 'b.test' });
    });
  });
}
