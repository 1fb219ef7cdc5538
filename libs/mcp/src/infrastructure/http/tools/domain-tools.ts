import { AgentTool, ApiReply, chosen, listOf, reads } from './agent-tool.js';
import { itemsOf, nextOf, pageQuery } from './pages.js';
import { schemas } from './schemas.js';

const { idOf, page, text } = schemas;

export const listDomains: AgentTool = {
  name: 'list_domains',
  title: 'List domains',
  description: 'The domains of the team: from which it may send (`verified`), and which receive.',
  permission: 'domains:read',
  operations: ['listDomains'],
  hints: reads,
  input: page,
  async run(caller, input) {
    const list = await caller.ask({ method: 'GET', path: '/domains', query: pageQuery(input) });
    const shown = ['id', 'name', 'status', 'region', 'capabilities'];
    return { facts: { domains: itemsOf(list, (domain) => chosen(domain, shown)), next: nextOf(list) } };
  },
};

export const getDomain: AgentTool = {
  name: 'get_domain',
  title: 'Diagnose a domain',
  description:
    'The DNS records of a domain: what must stand where, what stands there, and what is wrong with it. `untrusted` has what ' +
    'was found in DNS, and an advice that repeats it.',
  permission: 'domains:read',
  operations: ['getDomainDiagnosis'],
  hints: reads,
  input: { id: idOf('domain') },
  required: ['id'],
  async run(caller, { id }) {
    const diagnosis = await caller.ask({ method: 'GET', path: `/domains/${String(id)}/diagnosis` });
    const records = listOf(diagnosis.records);
    return {
      facts: {
        ...chosen(diagnosis, ['id', 'name', 'status', 'tls', 'dns_provider', 'checked_at', 'next_check_at']),
        records: records.map((record, at) => ({ n: at + 1, ...expectedOf(record) })),
      },
      untrusted: records.flatMap((record, at) =>
        record.mistake === null ? [] : [{ n: at + 1, ...chosen(record, ['found', 'advice']) }],
      ),
    };
  },
};

export const getMetrics: AgentTool = {
  name: 'get_metrics',
  title: 'Get figures of sent mail',
  description: 'How much was sent, delivered, bounced, reported as spam, opened and clicked: in all and by period.',
  permission: 'metrics:read',
  operations: ['getEmailMetrics'],
  hints: reads,
  input: {
    start_date: text('ISO 8601. Default: six days before `end_date`.', 64),
    end_date: text('ISO 8601, exclusive. Default: now.', 64),
    granularity: {
      type: 'string',
      enum: ['hourly', 'daily', 'weekly', 'monthly'],
      description: 'Length of a period. Default: daily. The first 50 periods are shown.',
    },
    domain_id: idOf('only domain to count'),
    broadcast_id: idOf('only broadcast to count'),
  },
  async run(caller, input) {
    const query = { ...chosen(input, Object.keys(getMetrics.input)), dimensions: 'period' };
    const metrics = await caller.ask({ method: 'GET', path: '/emails/metrics', query });
    const periods = listOf(metrics.data).map((row) => withoutZeros(row));
    return { facts: { ...chosen(metrics, ['start_date', 'end_date', 'granularity', 'totals']), periods } };
  },
};

function expectedOf(record: ApiReply): object {
  return chosen(record, ['record', 'type', 'host', 'value', 'priority', 'required', 'status', 'mistake']);
}

const withoutZeros = (row: ApiReply): object =>
  Object.fromEntries(Object.entries(row).filter(([, figure]) => figure !== 0));
