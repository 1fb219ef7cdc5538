import type { FastifyRequest } from 'fastify';
import type { Parameters } from '../../application/tool-access.js';

export function queryOf(request: FastifyRequest): Parameters {
  const entries = Object.entries(request.query as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export function defined(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The form, with the client's id and secret of an `Authorization: Basic` header (RFC 6749 section 2.3.1). */
export function withBasic({ body, headers }: FastifyRequest): Parameters {
  const form = (body ?? {}) as Parameters;
  const basic = /^Basic +([\w+/=-]{1,500})$/i.exec(headers.authorization ?? '')?.[1];
  if (basic === undefined) return form;
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':', 2);
  return { ...form, client_id: plain(id), client_secret: plain(secret) };
}

function plain(text: string): string {
  return new URLSearchParams(`x=${text}`).get('x') ?? '';
}
