import { createHash, randomUUID } from 'node:crypto';
import type { DnsServer } from './dns-server.js';
import { publishRecords, ReturnedRecord } from './published-records.js';
import { until } from './until.js';

const attackerDomain = 'attacker.test';

/** A customer of the program like any other, who means harm. */
export interface AttackingTeam {
  /** With full access. */
  readonly apiKey: string;
  /** An address that the team may send from. */
  readonly sender: string;
}

/** The program under attack, the way to its database, and the DNS that it asks. */
export interface AttackedProgram {
  readonly url: string;
  readonly dns: DnsServer;
  readonly query: (text: string, values: unknown[]) => Promise<unknown>;
}

/** A team beside the one of the first start, with a key and a domain that it verified as every customer does. */
export async function addAttackingTeam({ url, dns, query }: AttackedProgram): Promise<AttackingTeam> {
  const teamId = randomUUID();
  const apiKey = `re_attacker_${teamId.replaceAll('-', '')}`;
  await query(`INSERT INTO teams VALUES ($1, 'Attacker', now())`, [teamId]);
  await query(
    `INSERT INTO api_keys (id, team_id, name, permission, token_hash, created_at)
     VALUES ($1, $2, 'Key', 'full_access', $3, now())`,
    [randomUUID(), teamId, createHash('sha256').update(apiKey).digest()],
  );
  await verifyDomain(url, apiKey, dns);
  return { apiKey, sender: `Attacker <someone@${attackerDomain}>` };
}

async function verifyDomain(url: string, apiKey: string, dns: DnsServer): Promise<void> {
  const request = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    });
  const created = await request('/domains', { method: 'POST', body: JSON.stringify({ name: attackerDomain }) });
  const domain = (await created.json()) as { id: string; records: ReturnedRecord[] };
  publishRecords(dns, attackerDomain, domain.records);
  await request(`/domains/${domain.id}/verify`, { method: 'POST' });
  await until(async () => {
    const response = await request(`/domains/${domain.id}`);
    return ((await response.json()) as { status: string }).status === 'verified';
  });
}
