import { NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { maxDays, parseDays } from '../../../domain/report-period.js';
import { decodeKind } from '../domain-report.response.js';
import { dmarc, domainId, reports, tlsReports } from './domain-reports-examples.js';
import { domainReportsSchemas } from './domain-reports-schemas.js';

const id = idParameter('Id of the domain.', domainId);
const days = { description: `Number of days, today included, from 1 to ${maxDays}.`, example: 30 };
const errors = [...pageErrors, thrownBy(() => parseDays('0')), invalidId('id'), new NotFoundError('Domain')];
const { limit, ...cursors } = pageParameters;
/** The parameters of a list whose items have ids of their own kind. */
function pageOf(example: string): typeof pageParameters {
  const own = Object.entries(cursors).map(([name, cursor]) => [name, { ...cursor, example }] as const);
  return { ...(limit === undefined ? {} : { limit }), ...Object.fromEntries(own) };
}

export const apiDescription: ApiDescription = {
  tag: 'Domains',
  schemas: domainReportsSchemas,
  operations: {
    'GET /domains/{id}/dmarc': {
      operationId: 'getDomainDmarc',
      summary: 'See who sends as a domain',
      description:
        'What mail receivers report about mail with this domain in its From field: who sends it, how much of it passes DMARC, which ' +
        'senders are this service, and whether a stricter policy is safe. Sources with the most messages come first. An addition of ' +
        'Postrider.',
      parameters: { id, days, ...pageOf('192.0.2.10') },
      responses: { 200: { description: 'The reports of the period, added up.', example: dmarc } },
      errors,
    },
    'GET /domains/{id}/tls-reports': {
      operationId: 'getDomainTlsReports',
      summary: 'See how mail to a domain is encrypted',
      description:
        'What other mail servers report about their TLS connections to the mail hosts of a domain (RFC 8460), with advice on each ' +
        'result. Results with the most sessions come first. An addition of Postrider.',
      parameters: { id, days, ...pageOf('5d41402abc4b2a76b9719d911017c592') },
      responses: { 200: { description: 'The reports of the period, added up.', example: tlsReports } },
      errors,
    },
    'GET /domains/{id}/reports': {
      operationId: 'listDomainReports',
      summary: 'List the reports about a domain',
      description:
        'The reports that came for a domain, newest first, in pages. A report whose sender is not proven by SPF or DKIM is listed and ' +
        'not counted. An addition of Postrider.',
      parameters: { id, kind: { description: 'Only reports of this kind.', example: 'dmarc' }, ...pageParameters },
      responses: { 200: { description: 'A page of reports.', example: reports } },
      errors: [...pageErrors, thrownBy(() => decodeKind('fax')), invalidId('id'), new NotFoundError('Domain')],
    },
  },
};
