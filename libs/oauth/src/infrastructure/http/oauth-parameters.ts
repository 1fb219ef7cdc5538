import type { FastifyRequest } from 'fastify';
import type { Parameters } from '../../application/tool-access.js';

export function queryOf(request: FastifyRequest): Parameters {
  return textsIn(request.query);
}

/** A form, or JSON in its place. What is no text is left out, as if it were not given. */
export function formOf(request: FastifyRequest): Parameters {
  return textsIn(request.body);
}

function textsIn(values: unknown): Parameters {
  const entries = Object.entries((values ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export function defined(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The form, with the client's id and secret of an `Authorization: Basic` header (RFC 6749 section 2.3.1). */
export function withBasic(request: FastifyRequest): Parameters {
  const form = formOf(request);
  const basic = /^Basic +([\w+/=-]{1,500})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (basic === undefined) return form;
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':', 2);
  return { ...form, client_id: plain(id), client_secret: plain(secret) };
}

function plain(text: string): string {
  return new URLSearchParams(`x=${text}`).get('x') ?? '';
}
