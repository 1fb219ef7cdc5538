export interface LoggedCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** The command that repeats a request. The key is never in it. */
export function curlOf({ method, path, body }: LoggedCall, origin: string): string {
  const lines = [`curl ${quoted(`${origin}${path}`)}`];
  if (method !== 'GET') lines.push(`-X ${method}`);
  lines.push(`-H ${'"Authorization: Bearer $POSTRIDER_API_KEY"'}`);
  if (body !== null && body !== undefined && method !== 'GET') {
    lines.push(`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(JSON.stringify(body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
