import { Adapters, DeliveryTransport, startPostrider, watchEventLoop } from '../../../apps/server/src/index.js';
import type { DeliveryOutcome, OutboundMessage } from '../../../apps/server/src/index.js';

/** Freezes the whole process for as many milliseconds as the recipient's local part says: `1500@freeze.test`. */
class FreezingTransport extends DeliveryTransport {
  concurrencyOf(): number {
    return 1;
  }

  async deliver({ recipients }: OutboundMessage): Promise<DeliveryOutcome[]> {
    return recipients.map((address) => {
      blockTheEventLoop(parseInt(address, 10));
      return { kind: 'delivered', detail: { host: 'freezing', durationMs: 0 } };
    });
  }

  async close(): Promise<void> {}
}

function blockTheEventLoop(forMs: number): void {
  const end = performance.now() + forMs;
  while (performance.now() < end);
}

const postrider = await startPostrider({ adapters: new Adapters().use(DeliveryTransport, new FreezingTransport()) });
const healthPort = await watchEventLoop(postrider);
process.once('SIGTERM', () => void postrider.stop().then(() => process.exit(0)));
process.stdout.write(
  `Health at http://127.0.0.1:${healthPort}\nPostrider is ready at ${postrider.url}\n  Stop with Ctrl-C.\n`,
);
