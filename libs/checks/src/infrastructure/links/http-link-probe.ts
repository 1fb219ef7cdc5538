import { OutboundHttp, OutboundHttpError } from '#http/outbound';
import { Injectable } from '@nestjs/common';
import { LinkProbe } from '../../application/ports/check-readers.port.js';
import { LinkFailure, LinkReply } from '../../domain/message-facts.js';

const maxRedirects = 5;
/** Bytes of an unread page that are discarded to keep the connection. A longer page ends it. */
const maxDrainedBytes = 4 * 1024;
/** Servers without HEAD answer with these, some of them with 404 or 410: they are asked again with GET. */
const asksByGet = [404, 405, 410, 501];
const headers = { 'user-agent': 'Postrider/1 (checks the links of an email for its sender)' };

@Injectable()
export class HttpLinkProbe extends LinkProbe {
  constructor(private readonly http: OutboundHttp) {
    super();
  }

  async ask(teamId: string, url: string, timeoutMs: number): Promise<LinkReply> {
    const givesUpAt = performance.now() + timeoutMs;
    const send = async (method: 'HEAD' | 'GET'): Promise<number> => {
      const msLeft = Math.max(1, Math.round(givesUpAt - performance.now()));
      const { status } = await this.http.send({
        url,
        method,
        headers,
        maxRedirects,
        maxDrainedBytes,
        owner: teamId,
        timeoutMs: msLeft,
        isUrgent: true,
        maxBytes: 0,
        cutsBody: true,
      });
      return status;
    };
    try {
      const status = await send('HEAD');
      return { status: asksByGet.includes(status) ? await send('GET') : status };
    } catch (error) {
      if (error instanceof OutboundHttpError) return { failure: failureOf(error) };
      throw error;
    }
  }
}

function failureOf({ reason, cause }: OutboundHttpError): LinkFailure {
  switch (reason) {
    case 'forbidden':
      return 'not_public';
    case 'timeout':
    case 'too_many_redirects':
      return reason;
    default:
      return (cause as { code?: unknown } | undefined)?.code === 'ENOTFOUND' ? 'unknown_name' : 'unreachable';
  }
}
