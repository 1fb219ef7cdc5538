import { X509Certificate } from 'node:crypto';
import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { Disk, DiskGuard } from '#observability/disk';
import { TlsCertificate } from '#http/tls';
import { Injectable } from '@nestjs/common';
import {
  CertificateState,
  DatabaseState,
  FlowState,
  Installation,
  InstallationState,
} from '../application/ports/installation.port.js';

/** The installation as the process that answers sees it. */
@Injectable()
export class RunningInstallation extends Installation {
  private readonly startedAt: Date;

  constructor(
    private readonly version: string,
    private readonly config: Config,
    private readonly database: Database,
    private readonly disk: { readonly port: Disk; readonly guard: DiskGuard },
    private readonly certificate: TlsCertificate,
    private readonly clock: Clock,
  ) {
    super();
    this.startedAt = clock.now();
  }

  async read(): Promise<InstallationState> {
    const [database, flow, disk, certificate] = await Promise.all([
      this.readDatabase(),
      this.readFlow(),
      this.readDisk(),
      this.readCertificate(),
    ]);
    const { version, startedAt } = this;
    return { at: this.clock.now(), version, node: process.version, startedAt, database, flow, disk, certificate };
  }

  private async readDatabase(): Promise<DatabaseState> {
    const [row] = await this.database.query<DatabaseState & Record<string, unknown>>({
      name: 'database-state',
      text: `SELECT current_setting('server_version') AS version,
                    pg_database_size(current_database())::float8 AS "sizeBytes",
                    (SELECT count(*) FROM pg_stat_activity)::int AS connections,
                    current_setting('max_connections')::int AS "maxConnections",
                    greatest((SELECT max(extract(epoch FROM clock_timestamp() - xact_start)) FROM pg_stat_activity
                              WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()), 0)::float8
                      AS "oldestTransactionSeconds",
                    (SELECT CASE WHEN blks_hit + blks_read = 0 THEN 1
                                 ELSE blks_hit::float8 / (blks_hit + blks_read) END
                     FROM pg_stat_database WHERE datname = current_database()) AS "cacheHitRatio"`,
    });
    if (row === undefined) throw new Error('The state of the database could not be read');
    return row;
  }

  /** The quarter of an hour that runs, and the one before it. */
  private async readFlow(): Promise<FlowState> {
    const quarterMs = 900_000;
    const since = new Date((Math.floor(this.clock.now().getTime() / quarterMs) - 1) * quarterMs);
    const [row] = await this.database.query<Omit<FlowState, 'since'> & Record<string, unknown>>({
      name: 'flow-state',
      text: `SELECT coalesce(sum(sent), 0)::float8 AS sent, coalesce(sum(delivered), 0)::float8 AS delivered,
                    coalesce(sum(delivery_delayed), 0)::float8 AS delayed, coalesce(sum(bounced), 0)::float8 AS bounced
             FROM published_email_counts WHERE shard BETWEEN 0 AND 7 AND quarter >= $1`,
      values: [since],
    });
    return {
      since,
      sent: row?.sent ?? 0,
      delivered: row?.delivered ?? 0,
      delayed: row?.delayed ?? 0,
      bounced: row?.bounced ?? 0,
    };
  }

  private async readDisk(): Promise<InstallationState['disk']> {
    try {
      return { ...(await this.disk.port.space()), isAccepting: !this.disk.guard.isLow };
    } catch {
      return undefined;
    }
  }

  private async readCertificate(): Promise<CertificateState | undefined> {
    if (!this.config.has('smtp')) return undefined;
    try {
      const certificate = new X509Certificate((await this.certificate.load()).cert);
      return {
        subject: nameOf(certificate.subject),
        issuer: nameOf(certificate.issuer),
        validTo: new Date(certificate.validTo),
        isSelfSigned: certificate.subject === certificate.issuer,
      };
    } catch {
      return undefined;
    }
  }
}

function nameOf(distinguished: string): string {
  const line = distinguished.split('\n').find((part) => part.startsWith('CN='));
  return line === undefined ? distinguished.replaceAll('\n', ', ') : line.slice('CN='.length);
}
