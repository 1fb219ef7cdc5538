import { CountingProcess } from './counting-process.js';
import { runLoad } from './http-load.js';
import { batches } from './load-case.js';
import { cpuSecondsOf } from './process-cpu.js';
import { benchApiKey, ServerProcess } from './server-process.js';

export interface WebhookRate {
  readonly perSecond: number;
  readonly cpuMsPerCall: number;
}

/**
 * Signed calls to a receiver on kept connections: the events gather while the endpoint is disabled, and the time runs
 * from when it is enabled. Two events an email, as many calls as asked.
 */
export async function webhookRate(server: ServerProcess, sink: CountingProcess, calls: number): Promise<WebhookRate> {
  const receiver = await CountingProcess.start('webhook-receiver-process');
  const request = async (method: string, path: string, body: object): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${benchApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { id: string }).id;
  };
  try {
    const id = await request('POST', '/webhooks', {
      endpoint: `http://127.0.0.1:${receiver.port}/hooks`,
      events: ['email.sent', 'email.delivered'],
    });
    await request('PATCH', `/webhooks/${id}`, { status: 'disabled' });
    const requests = Math.ceil(calls / 2 / batches.emailsPerRequest);
    const emails = requests * batches.emailsPerRequest;
    const before = sink.received;
    const { port } = server;
    await runLoad({ port, apiKey: benchApiKey, path: batches.path, connections: 4, requests, body: batches.body });
    await sink.waitFor(before + emails);
    await new Promise((settled) => setTimeout(settled, 500));

    const cpu = cpuSecondsOf(server.pid);
    const started = performance.now();
    await request('PATCH', `/webhooks/${id}`, { status: 'enabled' });
    await receiver.waitFor(emails * 2);
    const seconds = (performance.now() - started) / 1_000;
    const cpuMsPerCall = ((cpuSecondsOf(server.pid) - cpu) * 1_000) / (emails * 2);
    await request('DELETE', `/webhooks/${id}`, {});
    return { perSecond: (emails * 2) / seconds, cpuMsPerCall };
  } finally {
    receiver.stop();
  }
}
