import { Box, Flex, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../parts/states';
import { findingStates, StatusBadge, unknownState } from '../../parts/status-badge';
import { insightsQuery, type InsightFinding } from './email-queries';
import styles from './insights.module.css';

/** The checks of an email: first those that found a problem, then the others. */
export function Insights({ emailId }: { readonly emailId: string }) {
  const insights = useQuery(insightsQuery(emailId));
  if (insights.error !== null) return <ErrorState error={insights.error} retry={() => void insights.refetch()} />;
  if (insights.data === undefined) return <Skeleton height={160} m={20} w="auto" />;
  return <FindingGroups findings={insights.data.findings} />;
}

/** What could be better at the top, the rest folded. */
export function FindingGroups({ findings }: { readonly findings: readonly InsightFinding[] }) {
  const { t } = useTranslation();
  const good = findings.filter(({ status }) => status === 'good');
  const unmeasured = findings.filter(({ status }) => status === 'not_measured');
  const flaws = findings.filter((finding) => !good.includes(finding) && !unmeasured.includes(finding));
  return (
    <div className={styles.insights} tabIndex={0} role="region" aria-label={t('emails:insights.title')}>
      <p className={styles.summary}>
        {flaws.length === 0 ? t('emails:insights.fine') : t('emails:insights.flaws', { count: flaws.length })}
      </p>
      <Findings findings={flaws} />
      <details className={styles.others}>
        <summary>{t('emails:insights.good', { count: good.length })}</summary>
        <Findings findings={good} />
      </details>
      <details className={styles.others}>
        <summary>{t('emails:insights.unmeasured', { count: unmeasured.length })}</summary>
        <Findings findings={unmeasured} />
      </details>
    </div>
  );
}

function Findings({ findings }: { readonly findings: readonly InsightFinding[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.findings}>
      {findings.map(({ id, status, evidence, fix, source }) => {
        const { tone, icon } = findingStates[status] ?? unknownState;
        return (
          <li key={id} className={styles.finding}>
            <Flex gap={12} align="center" justify="space-between">
              <Box component="h3" fz={14} fw={550}>
                {t(`emails:insights.check.${id}`, { defaultValue: id })}
              </Box>
              <StatusBadge tone={tone} icon={icon} label={t(`emails:insights.status.${status}`)} />
            </Flex>
            <p className={styles.evidence}>{evidence}</p>
            {fix === null ? null : <p className={styles.fix}>{fix}</p>}
            <a className={styles.source} href={source.url} target="_blank" rel="noreferrer">
              {source.title}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
