export interface LoggedCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** The command that repeats a request. Without `key` it reads the key from a variable. */
export function curlOf({ method, path, body }: LoggedCall, origin: string, key = '$POSTRIDER_API_KEY'): string {
  const lines = [`curl ${quoted(`${origin}${path}`)}`];
  if (method !== 'GET') lines.push(`-X ${method}`);
  lines.push(`-H "Authorization: Bearer ${key}"`);
  if (body !== null && body !== undefined && method !== 'GET') {
    lines.push(`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(JSON.stringify(body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
