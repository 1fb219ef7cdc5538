import { BenchCase } from '../bench-case.js';
import { runLoad } from '../load/http-load.js';
import { batches } from '../load/load-case.js';
import { cpuSecondsOf } from '../process-cpu.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';
import { Sink } from '../sink.js';

/** Time for the writes that follow the last delivery. */
const settleMs = 1_000;
const warmUpCalls = 2_000;

/**
 * Signed calls to a receiver over persistent connections. The events are collected while the endpoint is disabled; the
 * time is measured from when it is enabled. Two events per email.
 */
export const webhooksCase: BenchCase = {
  name: 'webhooks',
  open: async ({ messages }) => {
    const sink = await Sink.start();
    const receiver = await Sink.start('webhook-receiver-process');
    const server = await startServer({
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
    });
    const measure = (calls: number): Promise<{ seconds: number; cpuMs: number; count: number }> =>
      callWebhooks(server, sink, receiver, calls);
    await measure(warmUpCalls);
    return {
      measure: async () => {
        const { seconds, cpuMs, count } = await measure(messages);
        return [{ name: 'webhook calls, signed', value: count / seconds, unit: 'calls/s', cpuMs }];
      },
      close: async () => {
        await server.stop();
        await Promise.all([sink.stop(), receiver.stop()]);
      },
    };
  },
};

async function callWebhooks(
  server: ServerProcess,
  sink: Sink,
  receiver: Sink,
  calls: number,
): Promise<{ seconds: number; cpuMs: number; count: number }> {
  const { id } = await request(server, 'POST', '/webhooks', {
    endpoint: `http://127.0.0.1:${receiver.port}/hooks`,
    events: ['email.sent', 'email.delivered'],
  });
  await request(server, 'PATCH', `/webhooks/${id}`, { status: 'disabled' });
  const requests = Math.ceil(calls / 2 / batches.emailsPerRequest);
  const count = requests * batches.emailsPerRequest * 2;
  const before = { emails: sink.received, calls: receiver.received };
  await runLoad({
    port: server.port,
    apiKey: benchApiKey,
    path: batches.path,
    connections: Math.min(4, requests),
    requests,
    body: batches.body,
  });
  await sink.waitFor(before.emails + count / 2);
  await new Promise((settled) => setTimeout(settled, settleMs));

  const cpu = cpuSecondsOf(server.pid);
  const started = performance.now();
  await request(server, 'PATCH', `/webhooks/${id}`, { status: 'enabled' });
  await receiver.waitFor(before.calls + count);
  const seconds = (performance.now() - started) / 1_000;
  const cpuMs = ((cpuSecondsOf(server.pid) - cpu) * 1_000) / count;
  await request(server, 'DELETE', `/webhooks/${id}`);
  return { seconds, cpuMs, count };
}

async function request(server: ServerProcess, method: string, path: string, body?: object): Promise<{ id: string }> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${benchApiKey}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as { id: string };
}
