import { Injectable } from '@nestjs/common';
import { FairBudget } from '#kernel';
import { linksToAsk } from '../domain/checks/links.js';
import { AskedLink, AskedLinks, fieldOf } from '../domain/message-facts.js';
import { LinkProbe, MessageReader } from './ports/check-readers.port.js';

/** Time for all links of a message together, the wait for its turn included. */
const maxMs = 10_000;
const maxLinkMs = 5_000;
const maxLinks = 50;
/** Hosts of one message that are asked at the same time, each for one link. */
const maxConcurrentHosts = 4;
/** Messages whose links are asked at the same time: of one team, so that a host gets one request at a time, and of all. */
const maxOfTeam = 1;
const maxInAll = 32;

class BusyError extends Error {}

/** Asks for the links of a message: see `docs/insights.md`. */
@Injectable()
export class AskLinks {
  private readonly turns = new FairBudget({ total: maxInAll, maxPerOwner: maxOfTeam });

  constructor(
    private readonly reader: MessageReader,
    private readonly probe: LinkProbe,
  ) {}

  /** The message has no tracked links; its bytes may be moved. */
  async of(teamId: string, bytes: Uint8Array, trackingHost: string | undefined): Promise<AskedLinks> {
    const facts = await this.reader.read(bytes, teamId);
    const unsubscribe = fieldOf(facts, 'list-unsubscribe');
    const urls = linksToAsk(facts.html?.links ?? [], { trackingHost, unsubscribe });
    if (urls.length === 0) return { asked: [], left: 0 };
    const givesUpAt = performance.now() + maxMs;
    try {
      const ask = (): Promise<AskedLink[]> => this.ask(teamId, urls.slice(0, maxLinks), givesUpAt);
      const asked = await this.turns.during([teamId], 1, ask, { maxWaitMs: maxMs, refusal: () => new BusyError() });
      return { asked, left: urls.length - asked.length };
    } catch (error) {
      if (error instanceof BusyError) return { asked: [], left: urls.length };
      throw error;
    }
  }

  private async ask(teamId: string, urls: readonly string[], givesUpAt: number): Promise<AskedLink[]> {
    const asked: AskedLink[] = [];
    const hosts = byHost(urls);
    const askHosts = async (): Promise<void> => {
      for (let ofHost = hosts.pop(); ofHost !== undefined; ofHost = hosts.pop()) {
        for (const url of ofHost) {
          const msLeft = Math.round(givesUpAt - performance.now());
          if (msLeft <= 0) return;
          asked.push({ url, reply: await this.probe.ask(teamId, url, Math.min(maxLinkMs, msLeft)) });
        }
      }
    };
    await Promise.all(Array.from({ length: maxConcurrentHosts }, askHosts));
    return asked.sort((a, b) => urls.indexOf(a.url) - urls.indexOf(b.url));
  }
}

/** The last one is the host of the first link. */
function byHost(urls: readonly string[]): string[][] {
  const hosts = new Map<string, string[]>();
  for (const url of urls) {
    const { host } = new URL(url);
    hosts.set(host, [...(hosts.get(host) ?? []), url]);
  }
  return [...hosts.values()].reverse();
}
