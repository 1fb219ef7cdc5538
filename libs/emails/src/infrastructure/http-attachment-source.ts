import { OutboundHttp, OutboundHttpError } from '#platform/outbound-http';
import { Injectable } from '@nestjs/common';
import {
  AttachmentSource,
  AttachmentUnavailableError,
  FetchedAttachment,
} from '../application/ports/attachment-source.port.js';

const mostRedirects = 5;

@Injectable()
export class HttpAttachmentSource extends AttachmentSource {
  constructor(private readonly http: OutboundHttp) {
    super();
  }

  async fetch(
    teamId: string,
    url: string,
    limits: { readonly bytes: number; readonly timeoutMs: number },
  ): Promise<FetchedAttachment> {
    try {
      const { status, headers, body } = await this.http.send({
        url,
        owner: teamId,
        timeoutMs: limits.timeoutMs,
        isUrgent: true,
        maximumBytes: limits.bytes,
        maximumRedirects: mostRedirects,
      });
      if (status !== 200) throw new AttachmentUnavailableError(`The server answered with status ${status}`);
      const contentType = headers['content-type'];
      return { content: body, contentType: typeof contentType === 'string' ? contentType : undefined };
    } catch (error) {
      throw error instanceof OutboundHttpError ? new AttachmentUnavailableError(error.message) : error;
    }
  }
}
