import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Stalls } from '../../support/clients/bystanders.js';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { testApiKey } from '../../support/programs/program.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';
import { until } from '../../support/runner/until.js';
import { stretched } from '../../support/runner/stretched.js';

const perAddress = 100;
/** Maximum connections of one network, over all ports. */
const perNetwork = 1_250;

let hostile: HostileProgram;
const stalls = new Stalls();
beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0,127.0.0.1:0+tls' });
});
afterAll(async () => {
  stalls.stop();
  await hostile.stop();
});

/** Opens connections that send nothing, half of them to each port. */
async function hold(addresses: number): Promise<Socket[]> {
  const sockets = Array.from({ length: addresses * (perAddress + 20) }, (_, index) => {
    const port = hostile.program.smtpPorts[index % 2] ?? 0;
    const localAddress = `127.0.0.${10 + Math.floor(index / (perAddress + 20))}`;
    return connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  });
  for (const socket of sockets) socket.resume();
  await until(() => sockets.every((socket) => socket.closed || !socket.connecting));
  return sockets;
}

async function submit(localAddress: string): Promise<void> {
  const client = await SmtpDialogue.loggedIn(hostile.program.smtpPorts[1] ?? 0, testApiKey, localAddress);
  const content = 'From: a@sandbox.postrider.test\r\nTo: b@good.test\r\nSubject: x\r\n\r\nHello\r\n';
  expect(await client.submit('a@sandbox.postrider.test', 'b@good.test', content)).toMatch(/^250/);
  client.drop();
}

it('connections that send nothing get no more than the share of their address and their network', async () => {
  const calm = await hostile.during(async () => {
    const sockets = await hold(15);
    const open = (): number => sockets.filter((socket) => !socket.closed).length;
    await until(() => open() <= perNetwork);
    const customers = [];
    for (let count = 1; count <= 5; count++) customers.push(await stalls.measure(() => submit(`127.0.1.${count}`)));
    const left = open();
    for (const socket of sockets) socket.destroy();
    return { customers, left };
  });

  expect(calm.result.left).toBeGreaterThan(perNetwork - 10);
  expect(Math.max(...calm.result.customers)).toBeLessThan(stretched(1_000));
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory).toBeLessThan(600 * 1024 * 1024);
});
