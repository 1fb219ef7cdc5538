import { Clock, NotFoundError } from '#kernel';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

const downloadMs = 3_600_000;
const previewMs = 600_000;

export interface SignedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

export interface LinkSignature {
  readonly expires?: unknown;
  readonly signature?: unknown;
}

/**
 * Creates and verifies links that need no API key. A link contains its expiry time, and a signature that only this
 * service can make.
 */
@Injectable()
export class SignedLinks {
  constructor(
    private readonly secrets: SecretBox,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  attachment(request: FastifyRequest, emailId: string, attachmentId: string): SignedLink {
    return this.link(request, `/shared/attachments/${emailId}/${attachmentId}`);
  }

  email(request: FastifyRequest, emailId: string, lifeMs: number): SignedLink {
    return this.link(request, `/shared/emails/${emailId}`, lifeMs);
  }

  preview(request: FastifyRequest, emailId: string): SignedLink {
    return this.link(request, `/shared/previews/${emailId}`, previewMs);
  }

  /** A link to a path, for about an hour unless another time is given. */
  link(request: FastifyRequest, path: string, lifeMs = downloadMs): SignedLink {
    const expires = Math.floor((this.clock.now().getTime() + lifeMs) / 1_000);
    const signature = this.secrets.sign('link', `${path} ${expires}`);
    // Without PUBLIC_URL the host name of this request is used, because the customer can reach the service under it.
    const { publicUrl } = this.config.values;
    const base = publicUrl ?? `http://${request.headers.host}`;
    return {
      url: `${base}${path}?expires=${expires}&signature=${signature}`,
      expiresAt: new Date(expires * 1_000),
    };
  }

  /** Throws the same NotFoundError for an invalid link and for an expired one. */
  verify(path: string, { expires, signature }: LinkSignature): void {
    const moment = typeof expires === 'string' && /^\d{1,12}$/.test(expires) ? Number(expires) : NaN;
    const good =
      typeof signature === 'string' &&
      moment * 1_000 > this.clock.now().getTime() &&
      this.secrets.verify('link', `${path} ${moment}`, signature);
    if (!good) throw new NotFoundError('Link');
  }
}

/** The `Content-Disposition` header (RFC 6266), with the file name in the form of RFC 8187. */
export function contentDisposition(filename: string | null): string {
  if (filename === null) return 'attachment';
  const name = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${name}`;
}
