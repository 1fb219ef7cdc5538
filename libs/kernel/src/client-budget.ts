import { clientKey } from './client-key.js';

const windowMs = 1_000;
const maxClients = 50_000;

/** Bounds the requests of one client without an API key, within this process. */
export class ClientBudget {
  private window = 0;
  private used = new Map<string, number>();

  /** @param maxPerSecond for each client network, see `clientKey` */
  constructor(private readonly maxPerSecond: number) {}

  /** False if the client has used up its requests of this second. */
  take(address: string, nowMs: number): boolean {
    const window = Math.floor(nowMs / windowMs);
    if (window !== this.window || this.used.size >= maxClients) {
      this.window = window;
      this.used = new Map();
    }
    const client = clientKey(address);
    const used = (this.used.get(client) ?? 0) + 1;
    this.used.set(client, used);
    return used <= this.maxPerSecond;
  }
}
