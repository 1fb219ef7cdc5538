import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';

/** A customer's endpoint on kept connections, in a process of its own. Tells the parent how many calls have arrived. */
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
