import { clientKey } from '#kernel';

const windowMs = 1_000;
/** Gmail fetches the pictures of all its readers from some hundred addresses; no single reader comes near this. */
const maxPerWindow = 1_000;
const maxClients = 50_000;

/** Bounds how much one client can ask of the tracking host. Holds for this process. */
export class ClientBudget {
  private window = 0;
  private used = new Map<string, number>();

  /** False where the client has asked for too much within the second. */
  take(address: string, nowMs: number): boolean {
    const window = Math.floor(nowMs / windowMs);
    if (window !== this.window || this.used.size >= maxClients) {
      this.window = window;
      this.used = new Map();
    }
    const client = clientKey(address);
    const used = (this.used.get(client) ?? 0) + 1;
    this.used.set(client, used);
    return used <= maxPerWindow;
  }
}
