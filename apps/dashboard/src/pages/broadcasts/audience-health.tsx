import { Box, Flex, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { findingStates, StatusBadge, unknownState } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import styles from './audience-health.module.css';
import { pathOf } from './broadcast-queries';

type Health = Schema<'AudienceHealthResponse'>;
type Finding = Schema<'HealthFindingResponse'>;

interface AudienceHealthProps {
  readonly broadcastId: string;
  /** Puts what is in the editor on the server first. */
  readonly saved: () => Promise<void>;
}

/** Problems with the contacts that a broadcast would reach. They never block sending. */
export function AudienceHealth({ broadcastId, saved }: AudienceHealthProps) {
  const { t, i18n } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['audience-health', broadcastId],
    queryFn: async () => {
      // What cannot be saved is said when it is sent.
      await saved().catch(() => undefined);
      return answer(api.GET('/broadcasts/{id}/audience-health', pathOf(broadcastId)));
    },
    // Contacts change: it is read each time that the dialog opens.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (error !== null) return <p className="quiet">{t('broadcasts:health.failed')}</p>;
  if (data === undefined) return <Skeleton height={56} aria-label={t('broadcasts:health.reading')} />;
  const flaws = data.findings.filter(isFlaw);
  const others = data.findings.filter((finding) => !isFlaw(finding));
  return (
    <section className={styles.health} aria-label={t('broadcasts:health.title')}>
      {flaws.length === 0 ? (
        <p className={styles.fine}>
          <CircleCheck size={15} aria-hidden />
          {t('broadcasts:health.fine')}
        </p>
      ) : (
        <Findings findings={flaws} health={data} />
      )}
      <details className={styles.others}>
        <summary>{t('broadcasts:health.others', { count: others.length })}</summary>
        <Findings findings={others} health={data} />
      </details>
      {data.estimated ? (
        <Box component="p" c="var(--text-3)" fz={12.5}>
          {t('broadcasts:health.estimated', { number: new Intl.NumberFormat(i18n.language).format(data.measured) })}
        </Box>
      ) : null}
    </section>
  );
}

function isFlaw({ status }: Finding): boolean {
  return status === 'warning' || status === 'advice';
}

function Findings({ findings, health }: { readonly findings: readonly Finding[]; readonly health: Health }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.findings}>
      {findings.map((finding) => {
        const { id, status, source } = finding;
        const { tone, icon } = findingStates[status] ?? unknownState;
        return (
          <li key={id} className={styles.finding}>
            <Flex gap={12} align="center" justify="space-between">
              <Box component="h3" fz={14} fw={550}>
                {t(`broadcasts:health.check.${id}`)}
              </Box>
              <StatusBadge tone={tone} icon={icon} label={t(`emails:insights.status.${status}`)} />
            </Flex>
            <Seen finding={finding} />
            {id === 'recent_imports' ? <Imports health={health} /> : null}
            {isFlaw(finding) ? (
              <p className={styles.fix}>
                {t(`broadcasts:health.fix.${id}`)}{' '}
                <a className={styles.source} href={source.url} target="_blank" rel="noreferrer">
                  {source.title}
                </a>
              </p>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function Seen({ finding: { id, status, contacts, of, percent } }: { readonly finding: Finding }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const isUnknown = id === 'unengaged' && status === 'not_measured';
  return (
    <p className={styles.seen}>
      {t(`broadcasts:health.${isUnknown ? 'unknown' : 'seen'}.${id}`, {
        count: contacts,
        number: number.format(contacts),
        of: number.format(of),
        percent: share.format(percent / 100),
      })}
    </p>
  );
}

function Imports({ health: { imports } }: { readonly health: Health }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  if (imports.length === 0) return null;
  return (
    <ul className={styles.imports} aria-label={t('broadcasts:health.imports')}>
      {imports.map(({ id, file_name, created_at, contacts }) => (
        <li key={id}>
          <span className={styles.file}>{file_name ?? t('broadcasts:health.unnamed')}</span>
          <span className="quiet">
            <Time at={created_at} />
          </span>
          <span className="tabular">{number.format(contacts)}</span>
        </li>
      ))}
    </ul>
  );
}
