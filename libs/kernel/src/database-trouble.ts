/**
 * Whether the database could not be reached or the connection to it broke: the connection failed (SQLSTATE class 08), the
 * server is stopping, is starting or has crashed (57P), it has no free connection, memory or disk space (53), or the operating
 * system reported a network error. The statement may still have been executed: a commit may have succeeded although its
 * response was lost.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message, kind } = partsOf(error);
  if (kind === 'unavailable') return true;
  if (
    code !== undefined &&
    /^(?:08|53|57P|ECONN|EPIPE|ENOENT|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(code)
  )
    return true;
  return message !== undefined && awayMessages.test(message);
}

/**
 * Whether a database error is temporary, so that a later attempt may succeed. That is an unavailable database, a time limit
 * that ended the statement (57014), its wait for a lock (55P03) or the transaction (25P03, 25P04), a deadlock or a
 * serialisation failure (40), a standby that has not taken over yet (25006), or an I/O error of the server (58).
 */
export function isDatabaseTrouble(error: unknown): boolean {
  const { code } = partsOf(error);
  return isDatabaseAway(error) || (code !== undefined && /^(?:57014|55P03|25P0[34]|25006|40|58)/.test(code));
}

/** Messages of the driver's own errors, which have no code. */
const awayMessages =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed and is not queryable)/;

function partsOf(error: unknown): { readonly code?: string; readonly message?: string; readonly kind?: unknown } {
  const { code, message, kind } = (error ?? {}) as { code?: unknown; message?: unknown; kind?: unknown };
  return {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : undefined,
    kind,
  };
}
