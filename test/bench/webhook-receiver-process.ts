import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';

/** A webhook endpoint with persistent connections, in a separate process. It reports the number of calls to the parent. */
let count = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    count++;
    response.writeHead(200, { 'content-length': 2 }).end('ok');
  });
});
server.keepAliveTimeout = 60_000;
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
const tell = (): void => void process.send?.({ port: (server.address() as AddressInfo).port, count });
tell();
setInterval(tell, 20);
process.on('disconnect', () => process.exit(0));
