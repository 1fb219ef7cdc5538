import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes bytes to a server as they are and reads one response. */
export function rawRequest(port: number, request: string | Uint8Array): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(request));
    let received = '';
    const finish = (): void => {
      const response = parseResponse(received);
      if (response === undefined) return;
      socket.destroy();
      resolve(response);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      finish();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`The connection was closed after: ${received}`)));
  });
}

function parseResponse(received: string): RawResponse | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = received.slice(headEnd + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}
