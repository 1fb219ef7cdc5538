import { SmtpChannel } from '#smtp-client';
import type { SmtpHostOptions } from '#smtp-client';

export interface QuickConnection {
  readonly channel: SmtpChannel;
  readonly options: SmtpHostOptions;
}

/** How long an address is tried alone before the next one is tried as well (RFC 8305 section 5). */
const headStartMs = 250;

/**
 * Connects to the first of several addresses of one host that accepts, so that a broken IPv6 path costs a quarter of a
 * second instead of the connection timeout. Rejects with the last failure if none accepts.
 */
export function connectQuickly(candidates: readonly SmtpHostOptions[]): Promise<QuickConnection> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let pending = 0;
    let isDecided = false;
    let timer: NodeJS.Timeout | undefined;

    const connected = (channel: SmtpChannel, options: SmtpHostOptions): void => {
      pending--;
      if (isDecided) return void channel.fail('disconnected', 'another address accepted first');
      isDecided = true;
      clearTimeout(timer);
      resolve({ channel, options });
    };
    const failed = (error: Error): void => {
      pending--;
      if (isDecided) return;
      if (next < candidates.length) tryNext();
      else if (pending === 0) reject(error);
    };
    const tryNext = (): void => {
      clearTimeout(timer);
      const options = candidates[next++];
      if (options === undefined) return;
      pending++;
      SmtpChannel.connect(options).then((channel) => connected(channel, options), failed);
      if (next < candidates.length) timer = setTimeout(tryNext, headStartMs);
    };
    tryNext();
  });
}
