/**
 * Whether the database could not be reached or broke off: the connection failed (SQLSTATE class 08), the server stops, starts
 * or has crashed (57P), it has no connection or no room left (53), or the system says so. What was asked may have been done
 * all the same: a commit whose answer was lost.
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
 * Whether an error of the database passes by itself: besides its absence, a time limit that ended the statement (57014), its
 * wait for a lock (55P03) or the transaction (25P03, 25P04), a lost deadlock or serialisation (40), a standby that has not
 * taken over yet (25006), trouble with its disk (58).
 */
export function isDatabaseTrouble(error: unknown): boolean {
  const { code } = partsOf(error);
  return isDatabaseAway(error) || (code !== undefined && /^(?:57014|55P03|25P0[34]|25006|40|58)/.test(code));
}

/** Of the driver, which gives its own errors no code. */
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
