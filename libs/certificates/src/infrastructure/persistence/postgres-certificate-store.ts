import { randomUUID } from 'node:crypto';
import { TrackingCertificate, TrackingCertificates } from '#domains';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { Database, ProcessNotifications, Row } from '#postgres/database';
import { newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import {
  CertificateStore,
  FailedTry,
  HostCertificateView,
  IssuedCertificate,
  LostLeaseError,
} from '../../application/ports/certificate-store.port.js';
import { CertificateLease, domainPeriodMs, leaseMs, maxOrdersPerDomain } from '../../domain/host-certificate.js';
import { AcmeAccounts } from './acme-accounts.js';
import { claimStatement } from './claim-statement.js';
import {
  certificatesChanged,
  openCertificate,
  openOrderKey,
  sealCertificate,
  sealOrderKey,
} from './sealed-certificates.js';

const hour = 3_600_000;

type ClaimedRow = Row<
  Pick<CertificateLease, 'host' | 'lease' | 'domainId' | 'teamId' | 'tries' | 'isRevoked'> & {
    readonly orderUrl: string | null;
    readonly sealedOrderKey: Buffer | null;
    readonly sealedCertificate: Buffer | null;
    readonly renewAt: Date | null;
  }
>;

/** What ends a try. */
const endOfTry = 'lease = NULL, challenge_token = NULL, challenge_answer = NULL';
const endOfOrder = 'order_url = NULL, sealed_order_key = NULL';

@Injectable()
export class PostgresCertificateStore extends CertificateStore {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
    private readonly notifications: ProcessNotifications,
    private readonly accounts: AcmeAccounts,
    private readonly config: Config,
  ) {
    super();
  }

  async keepOwnHosts(hosts: readonly string[], now: Date): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO certificates AS c (host, due_at, wanted_at, created_at) SELECT unnest($1::text[]), $2, $2, $2
             ON CONFLICT (host) DO UPDATE SET wanted_at = $2, domain_id = NULL, team_id = NULL
             WHERE c.wanted_at IS NULL OR c.wanted_at < $3`,
      values: [hosts, now, new Date(now.getTime() - hour)],
    });
    const longAgo = new Date(now.getTime() - domainPeriodMs);
    await this.database.execute({
      text: 'DELETE FROM certificates WHERE domain_id IS NULL AND wanted_at < $1',
      values: [longAgo],
    });
    await this.database.execute({ text: 'DELETE FROM certificate_orders WHERE ordered_at < $1', values: [longAgo] });
  }

  async followDomains(now: Date, domainId?: string): Promise<void> {
    const { cell } = this.config.values;
    const changed = await this.database.query<{ host: string }>({
      name: 'follow-tracking-hosts',
      text: `WITH removed AS (
               DELETE FROM certificates c WHERE domain_id IS NOT NULL AND ($1::uuid IS NULL OR domain_id = $1) AND NOT EXISTS (
                 SELECT FROM published_tracking_hosts h WHERE h.domain_id = c.domain_id AND h.host = c.host)
               RETURNING host
             ), added AS (
               INSERT INTO certificates (host, domain_id, team_id, due_at, created_at)
               SELECT host, domain_id, team_id, $2, $2 FROM published_tracking_hosts h
               WHERE is_verified AND ($1::uuid IS NULL OR domain_id = $1) AND ($3::text IS NULL OR region = $3)
                 AND NOT EXISTS (SELECT FROM certificates c WHERE c.host = h.host)
               ON CONFLICT (host) DO NOTHING RETURNING host
             ) SELECT host FROM removed UNION ALL SELECT host FROM added`,
      values: [domainId ?? null, now, cell ?? null],
    });
    if (changed.length > 0) {
      await this.notifications.sendAll(
        certificatesChanged,
        changed.map(({ host }) => host),
      );
    }
  }

  async claim(now: Date): Promise<CertificateLease | undefined> {
    const [row] = await this.database.query<ClaimedRow>(claimStatement(now, randomUUID()));
    if (row === undefined) return undefined;
    const { orderUrl, sealedOrderKey, sealedCertificate, renewAt, ...lease } = row;
    return {
      ...lease,
      order:
        orderUrl === null || sealedOrderKey === null
          ? null
          : { url: orderUrl, key: openOrderKey(this.box, row.host, sealedOrderKey) },
      current:
        sealedCertificate === null || renewAt === null
          ? null
          : { chain: openCertificate(this.box, row.host, sealedCertificate).chain, renewAt },
    };
  }

  async extend(lease: CertificateLease, now: Date): Promise<void> {
    await this.change(lease, 'due_at = $3', new Date(now.getTime() + leaseMs));
  }

  async isProven({ host, domainId }: CertificateLease): Promise<boolean> {
    if (domainId === null) return true;
    const found = await this.database.query({
      text: 'SELECT FROM published_tracking_hosts WHERE domain_id = $1 AND host = $2 AND is_verified',
      values: [domainId, host],
    });
    return found.length > 0;
  }

  async mayOrder({ teamId }: CertificateLease, registrableDomain: string, now: Date): Promise<boolean> {
    const recorded = await this.database.execute({
      text: `INSERT INTO certificate_orders (id, team_id, registrable_domain, ordered_at) SELECT $1, $2, $3, $4
             WHERE (SELECT count(*) FROM certificate_orders WHERE registrable_domain = $3 AND ordered_at > $5
                    AND (team_id IS NULL) = ($2::uuid IS NULL)) < ${maxOrdersPerDomain}`,
      values: [newId(), teamId, registrableDomain, now, new Date(now.getTime() - domainPeriodMs)],
    });
    return recorded > 0;
  }

  async keepOrder(lease: CertificateLease, { url, key }: { url: string; key: string }): Promise<void> {
    await this.change(lease, 'order_url = $3, sealed_order_key = $4', url, sealOrderKey(this.box, lease.host, key));
  }

  async keepAnswer(lease: CertificateLease, token: string, answer: string): Promise<void> {
    await this.change(lease, 'challenge_token = $3, challenge_answer = $4', token, answer);
  }

  async issued(lease: CertificateLease, certificate: IssuedCertificate, now: Date): Promise<void> {
    const { notAfter, renewAt, dueAt } = certificate;
    await this.change(
      lease,
      `${endOfTry}, ${endOfOrder}, state = 'issued', reason = NULL, tries = 0, sealed_certificate = $3, issued_at = $4,
       not_after = $5, renew_at = $6, due_at = $7`,
      sealCertificate(this.box, lease.host, certificate),
      now,
      notAfter,
      renewAt,
      dueAt,
    );
    await this.notifications.send(certificatesChanged, lease.host);
  }

  async failed(lease: CertificateLease, { dueAt, reason, tries, isOrderOver }: FailedTry, now: Date): Promise<void> {
    await this.change(
      lease,
      `${endOfTry}${isOrderOver ? `, ${endOfOrder}` : ''}, state = CASE WHEN not_after > $3 THEN 'issued' ELSE 'failed' END,
       due_at = $4, reason = $5, tries = $6`,
      now,
      dueAt,
      reason,
      tries,
    );
  }

  async revoked(lease: CertificateLease, now: Date): Promise<void> {
    await this.change(
      lease,
      `${endOfTry}, state = 'pending', is_revoked = false, sealed_certificate = NULL, issued_at = NULL, not_after = NULL,
       renew_at = NULL, reason = NULL, tries = 0, due_at = $3`,
      now,
    );
    await this.notifications.send(certificatesChanged, lease.host);
  }

  async postponed(lease: CertificateLease, dueAt: Date, reason: string | null, renewAt?: Date): Promise<void> {
    const set = `${endOfTry}, due_at = $3, reason = $4, renew_at = coalesce($5, renew_at)`;
    await this.change(lease, set, dueAt, reason, renewAt ?? null);
  }

  views(): Promise<readonly HostCertificateView[]> {
    return this.database.query<Row<HostCertificateView>>({
      text: `SELECT host, state, reason, not_after AS "notAfter", due_at AS "nextTryAt" FROM certificates
             WHERE domain_id IS NULL OR state = 'failed' ORDER BY domain_id IS NOT NULL, host LIMIT 20`,
    });
  }

  async reseal(): Promise<void> {
    await this.accounts.reseal();
    const rows = await this.database.query<{ host: string; certificate: Buffer | null; orderKey: Buffer | null }>({
      text: 'SELECT host, sealed_certificate AS certificate, sealed_order_key AS "orderKey" FROM certificates',
    });
    for (const { host, certificate, orderKey } of rows) {
      if ([certificate, orderKey].every((sealed) => sealed === null || this.box.isCurrent(sealed))) continue;
      const [open, openKey] = [
        certificate && openCertificate(this.box, host, certificate),
        orderKey && openOrderKey(this.box, host, orderKey),
      ];
      await this.database.execute({
        text: `UPDATE certificates SET sealed_certificate = $4, sealed_order_key = $5 WHERE host = $1
               AND sealed_certificate IS NOT DISTINCT FROM $2 AND sealed_order_key IS NOT DISTINCT FROM $3`,
        values: [
          host,
          certificate,
          orderKey,
          open && sealCertificate(this.box, host, open),
          openKey && sealOrderKey(this.box, host, openKey),
        ],
      });
    }
  }

  private async change({ host, lease }: CertificateLease, set: string, ...values: unknown[]): Promise<void> {
    const changed = await this.database.execute({
      text: `UPDATE certificates SET ${set} WHERE host = $1 AND lease = $2`,
      values: [host, lease, ...values],
    });
    if (changed === 0) throw new LostLeaseError();
  }
}

/** What customers see of it. */
@Injectable()
export class StoredTrackingCertificates extends TrackingCertificates {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {
    super();
  }

  async findFor(domainId: string): Promise<TrackingCertificate | undefined> {
    if (this.config.values.tlsAcme === 'off') return undefined;
    const [found] = await this.database.query<Row<TrackingCertificate>>({
      name: 'certificate-of-domain',
      text: `SELECT host, state, reason, not_after AS "notAfter",
               CASE WHEN state <> 'issued' OR reason IS NOT NULL THEN due_at END AS "nextTryAt"
             FROM certificates WHERE domain_id = $1 ORDER BY created_at DESC LIMIT 1`,
      values: [domainId],
    });
    return found;
  }
}
