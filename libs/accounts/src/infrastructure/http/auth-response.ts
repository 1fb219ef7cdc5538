/**
 * What a browser gets to see of an answer of better-auth. Tokens of sessions are taken out: they belong in the HttpOnly
 * cookie, where a script cannot read them. Refusals get the shape of the contract. Undefined: no body.
 */
export function withoutTokens(text: string, status: number): unknown {
  if (text === '' && status < 400) return undefined;
  const body = parsed(text);
  if (status < 400) return stripped(body);
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return {
    statusCode: status,
    message: typeof message === 'string' && status < 500 ? message : 'The request was refused.',
    name: typeof code === 'string' ? code.toLowerCase() : nameOf(status),
  };
}

/** The id of the user that an answer names. */
export function userIn(text: string): string | undefined {
  const { user } = (parsed(text) ?? {}) as { user?: { id?: unknown } | null };
  return typeof user?.id === 'string' ? user.id : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function stripped(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body ?? null;
  const { token: _token, session, ...rest } = body as Record<string, unknown>;
  if (typeof session !== 'object' || session === null) return rest;
  const { token: _sessionToken, ...shown } = session as Record<string, unknown>;
  return { ...rest, session: shown };
}

function nameOf(status: number): string {
  switch (status) {
    case 401:
      return 'unauthenticated';
    case 403:
      return 'forbidden';
    case 404:
      return 'not_found';
    case 429:
      return 'too_many_attempts';
    default:
      return status >= 500 ? 'application_error' : 'validation_error';
  }
}
