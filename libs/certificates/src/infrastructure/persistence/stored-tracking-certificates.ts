import { TrackingCertificate, TrackingCertificates } from '#domains';
import { Config } from '#platform/config';
import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';

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
