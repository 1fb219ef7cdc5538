import { expect, it } from '@jest/globals';
import { NoSpamScorer, NoVirusScanner } from '../../libs/inbound/src/application/ports/scanners.port.js';
import { ClamavVirusScanner } from '../../libs/inbound/src/infrastructure/scanners/clamav-virus-scanner.js';
import { RspamdSpamScorer } from '../../libs/inbound/src/infrastructure/scanners/rspamd-spam-scorer.js';
import { freePort } from '../support/runner/free-port.js';
import {
  RunningScanner,
  startClamd,
  startFakeClamd,
  startFakeRspamd,
  startRspamd,
  whyNoClamd,
  whyNoRspamd,
} from '../support/servers/scanners.js';
import { describeUnless } from '../support/runner/unless.js';
import { describeSpamScorer, ordinaryMail, scannedMessage, SpamScorerRig } from './spam-scorer.contract.js';
import { describeVirusScanner, eicar, VirusScannerRig } from './virus-scanner.contract.js';

const logger = { warn: () => undefined } as never;

async function rspamdRig({ url, stop }: RunningScanner): Promise<SpamScorerRig> {
  const away = new RspamdSpamScorer(`http://127.0.0.1:${await freePort()}`, logger);
  return { scorer: new RspamdSpamScorer(url, logger), away, rates: true, stop };
}

async function clamdRig({ url, stop }: RunningScanner): Promise<VirusScannerRig> {
  const away = new ClamavVirusScanner(`tcp://127.0.0.1:${await freePort()}`, logger);
  return { scanner: new ClamavVirusScanner(url, logger), away, scans: true, stop };
}

const none = { rates: false, scans: false, stop: async () => undefined };

describeSpamScorer('none', async () => ({ ...none, scorer: new NoSpamScorer(), away: new NoSpamScorer() }));
describeSpamScorer('Rspamd, played by a test', async () => rspamdRig(await startFakeRspamd()));

describeVirusScanner('none', async () => ({ ...none, scanner: new NoVirusScanner(), away: new NoVirusScanner() }));
describeVirusScanner('clamd, played by a test', async () => clamdRig(await startFakeClamd(eicar)));

describeUnless(whyNoRspamd())('as Debian ships it', () => {
  describeSpamScorer('Rspamd', async () => rspamdRig(await startRspamd()));

  it('Rspamd is told of the client and the envelope', async () => {
    const { url, stop } = await startRspamd();
    try {
      const verdict = await new RspamdSpamScorer(url, logger).score(scannedMessage(ordinaryMail));
      expect(verdict).toMatchObject({ isSpam: false, symbols: { CLIENT_IS_KNOWN: 0.5 } });
    } finally {
      await stop();
    }
  });
});

describeUnless(whyNoClamd())('as Debian ships it', () => {
  describeVirusScanner('clamd', async () => clamdRig(await startClamd(eicar)));
});
