import { createHash, randomUUID } from 'node:crypto';
import type { DnsServer } from '../servers/dns-server.js';
import { allRecords, publishRecords, ReturnedRecord } from '../builders/published-records.js';
import { until } from '../runner/until.js';

const attackerDomain = 'attacker.test';

/** An ordinary customer of the program who attacks it. */
export interface AttackingTeam {
  /** With full access. */
  readonly apiKey: string;
  /** An address that the team may send from. */
  readonly sender: string;
}

/** The program under attack, a query function for its database, and its DNS server. */
export interface AttackedProgram {
  readonly url: string;
  readonly dns: DnsServer;
  readonly query: (text: string, values: unknown[]) => Promise<unknown>;
}

/** Adds a second team with a full-access key and a domain that is verified in the ordinary way. */
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
  publishRecords(dns, attackerDomain, allRecords(domain));
  await request(`/domains/${domain.id}/verify`, { method: 'POST' });
  await until(async () => {
    const response = await request(`/domains/${domain.id}`);
    return ((await response.json()) as { status: string }).status === 'verified';
  });
}
