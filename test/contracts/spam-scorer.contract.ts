import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { ScannedMessage, SpamScorer } from '#inbound';

/** The text that every spam filter takes for spam (GTUBE). */
const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

const header = 'From: Ada <ada@customer.test>\r\nTo: support@acme.test\r\nMessage-ID: <1@customer.test>\r\n';

export function scannedMessage(text: string, fields: Partial<ScannedMessage> = {}): ScannedMessage {
  const bytes = Buffer.from(text);
  return {
    id: newId(),
    client: { address: '192.0.2.9', helo: 'mx.customer.test', tls: null },
    mailFrom: 'ada@customer.test',
    recipients: ['support@acme.test', 'größe@acme.test'],
    size: bytes.length,
    async *read() {
      // In pieces, and one of them without bytes.
      yield bytes.subarray(0, 10);
      yield bytes.subarray(10, 10);
      yield bytes.subarray(10);
    },
    ...fields,
  };
}

export const ordinaryMail = `${header}Subject: Order\r\nDate: Sun, 22 Nov 2026 10:00:00 +0000\r\n\r\nWhere is it?\r\n.\r\n`;

/** A message whose bytes cannot be read to the end. */
export function unreadableMessage(): ScannedMessage {
  return scannedMessage(ordinaryMail, {
    async *read() {
      yield Buffer.from(header);
      throw new Error('the store is away');
    },
  });
}

export interface SpamScorerRig {
  readonly scorer: SpamScorer;
  /** A scorer of the same kind that nobody answers. */
  readonly away: SpamScorer;
  /** Whether it rates messages at all. */
  readonly rates: boolean;
  readonly stop: () => Promise<void>;
}

/** What every scorer must do. */
export function describeSpamScorer(name: string, start: () => Promise<SpamScorerRig>): void {
  describe(`the spam scorer ${name}`, () => {
    let rig: SpamScorerRig;

    beforeAll(async () => {
      rig = await start();
    });
    afterAll(() => rig.stop());

    it('tells spam from ordinary mail, or rates nothing', async () => {
      const ordinary = await rig.scorer.score(scannedMessage(ordinaryMail));
      const spam = await rig.scorer.score(scannedMessage(`${header}Subject: Win\r\n\r\n${gtube}\r\n`));
      if (!rig.rates) {
        expect([ordinary, spam]).toEqual([null, null]);
        return;
      }
      for (const verdict of [ordinary, spam]) {
        expect(verdict).toEqual({
          score: expect.any(Number),
          requiredScore: expect.any(Number),
          isSpam: verdict === spam,
          symbols: expect.any(Object),
        });
        expect(Object.values(verdict?.symbols ?? {}).every(Number.isFinite)).toBe(true);
      }
      expect(spam?.score).toBeGreaterThanOrEqual(spam?.requiredScore ?? NaN);
      expect(ordinary?.score).toBeLessThan(ordinary?.requiredScore ?? NaN);
    });

    it('rates many messages at once', async () => {
      const verdicts = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          rig.scorer.score(
            scannedMessage(`${header}Subject: ${index}\r\n\r\n${index % 2 === 0 ? gtube : 'Hello'}\r\n`),
          ),
        ),
      );
      expect(verdicts.map((verdict) => verdict?.isSpam ?? false)).toEqual(
        verdicts.map((_, index) => rig.rates && index % 2 === 0),
      );
    });

    it('gives no rating, and throws nothing, where the scorer is away or the bytes cannot be read', async () => {
      expect(await rig.away.score(scannedMessage(ordinaryMail))).toBeNull();
      expect(await rig.scorer.score(unreadableMessage())).toBeNull();
      const large = scannedMessage(ordinaryMail, { size: 40 * 1024 * 1024 });
      expect(await rig.scorer.score(large)).toBeNull();
      expect((await rig.scorer.score(scannedMessage(ordinaryMail)))?.isSpam ?? false).toBe(false);
    });
  });
}
