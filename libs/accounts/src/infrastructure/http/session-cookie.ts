import type { FastifyRequest } from 'fastify';

/** The value of a cookie as the browser sent it. The last one counts: a cookie of a narrower path comes first. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const found = cookie.split(';').filter((part) => part.trimStart().startsWith(`${name}=`));
  const [only] = found;
  // Two cookies of this name: one of them was set by somebody else, for example by another host of the domain.
  return only === undefined || found.length > 1 ? undefined : only.trim().slice(name.length + 1);
}
