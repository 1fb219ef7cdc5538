import { FairTurns, OutboundHttp, OutboundHttpError, OutboundResponse } from '#http/outbound';
import { Injectable } from '@nestjs/common';
import {
  AttachmentSource,
  AttachmentUnavailableError,
  FetchedAttachment,
  FetchLimits,
} from '../application/ports/email-contents.port.js';

const maxRedirects = 5;
/** Limits of concurrent fetches: for one team, for one team from one host, and in total. */
const maxOfTeam = 16;
const maxOfHost = 4;
const maxInAll = 256;

@Injectable()
export class HttpAttachmentSource extends AttachmentSource {
  private readonly teams = new FairTurns(maxOfTeam, maxInAll);
  private readonly hosts = new FairTurns(maxOfHost, maxInAll);

  constructor(private readonly http: OutboundHttp) {
    super();
  }

  async fetch(teamId: string, url: string, limits: FetchLimits): Promise<FetchedAttachment> {
    const givesUpAt = performance.now() + limits.timeoutMs;
    const timeLeft = (): number => Math.max(1, Math.round(givesUpAt - performance.now()));
    const leaveHost = await this.hosts.take(`${teamId} ${hostOf(url)}`, timeLeft());
    const leaveTeam = leaveHost === undefined ? undefined : await this.teams.take(teamId, timeLeft());
    try {
      limits.signal.throwIfAborted();
      if (leaveTeam === undefined) throw new AttachmentUnavailableError('Too many other attachments are being fetched');
      return await this.request(teamId, url, { ...limits, timeoutMs: timeLeft() });
    } catch (error) {
      throw error instanceof OutboundHttpError ? new AttachmentUnavailableError(error.message) : error;
    } finally {
      leaveTeam?.();
      leaveHost?.();
    }
  }

  private async request(teamId: string, url: string, limits: FetchLimits): Promise<FetchedAttachment> {
    const { headers, body } = await this.http.send({
      url,
      owner: teamId,
      timeoutMs: limits.timeoutMs,
      isUrgent: true,
      maxBytes: limits.bytes,
      maxRedirects,
      signal: limits.signal,
      checkHead,
      makeRoom: limits.makeRoom,
    });
    const contentType = headers['content-type'];
    return { content: body, contentType: typeof contentType === 'string' ? contentType : undefined };
  }
}

/**
 * The request asks for uncompressed content. A compressed response is refused, because it may be a thousand times as
 * large once decompressed.
 */
function checkHead({ status, headers }: Omit<OutboundResponse, 'body'>): void {
  if (status !== 200) throw new AttachmentUnavailableError(`The server responded with status ${status}`);
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  if (encoding !== 'identity') throw new AttachmentUnavailableError('The server sent it compressed');
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
