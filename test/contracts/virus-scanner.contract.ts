import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VirusScanner } from '#inbound';
import { ordinaryMail, scannedMessage, unreadableMessage } from './spam-scorer.contract.js';

/** The file that every scanner takes for a virus. In two parts, so that no scanner takes this file for it. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

const infected = [
  'From: Ada <ada@customer.test>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
  '--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n',
  '--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=invoice.exe\r\n',
  `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(eicar).toString('base64')}\r\n--b--\r\n`,
].join('');

export interface VirusScannerRig {
  readonly scanner: VirusScanner;
  /** A scanner of the same kind that nobody answers. */
  readonly away: VirusScanner;
  /** Whether it scans messages at all. */
  readonly scans: boolean;
  readonly stop: () => Promise<void>;
}

/** What every scanner must do. */
export function describeVirusScanner(name: string, start: () => Promise<VirusScannerRig>): void {
  describe(`the virus scanner ${name}`, () => {
    let rig: VirusScannerRig;

    beforeAll(async () => {
      rig = await start();
    });
    afterAll(() => rig.stop());

    it('finds a virus in an attachment, or scans nothing', async () => {
      const verdicts = [
        await rig.scanner.scan(scannedMessage(ordinaryMail)),
        await rig.scanner.scan(scannedMessage(infected)),
      ];
      const found = { result: 'infected', name: expect.stringMatching(/\S/) };
      expect(verdicts).toEqual(rig.scans ? [{ result: 'clean' }, found] : [null, null]);
    });

    it('scans many messages at once, large ones too', async () => {
      const filler = `${'0123456789'.repeat(7)}\r\n`.repeat(20_000);
      const verdicts = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          rig.scanner.scan(scannedMessage(index % 2 === 0 ? infected : ordinaryMail + filler)),
        ),
      );
      const expected = (index: number) => (index % 2 === 0 ? 'infected' : 'clean');
      expect(verdicts.map((verdict) => verdict?.result)).toEqual(
        verdicts.map((_, index) => (rig.scans ? expected(index) : undefined)),
      );
    });

    it('says that a message is unscanned, and throws nothing, where the scanner is away or the bytes cannot be read', async () => {
      const unscanned = rig.scans ? { result: 'unscanned' } : null;
      expect(await rig.away.scan(scannedMessage(ordinaryMail))).toEqual(unscanned);
      expect(await rig.scanner.scan(unreadableMessage())).toEqual(unscanned);
      expect(await rig.scanner.scan(scannedMessage(ordinaryMail, { size: 100 * 1024 * 1024 }))).toEqual(unscanned);
      expect((await rig.scanner.scan(scannedMessage(ordinaryMail)))?.result).toBe(rig.scans ? 'clean' : undefined);
    });
  });
}
