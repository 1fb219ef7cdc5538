import { Flex } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { Panel } from '../../parts/panel';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import styles from './domain-insights.module.css';

/** Whether blocklists have the domain, or an address that its mail leaves from. */
export function ListingsPanel({ of }: { readonly of: Schema<'ListingsResponse'> }) {
  const { t } = useTranslation();
  const { listed, answered, unanswered } = of;
  return (
    <Panel title={t('insights:lists.title')} text={t('insights:lists.text')}>
      {listed.length === 0 && answered > 0 ? <p>{t('insights:lists.none')}</p> : null}
      {listed.length === 0 ? null : (
        <ul className={styles.steps}>
          {listed.map((listing) => (
            <Listed key={`${listing.subject} ${listing.list}`} listing={listing} />
          ))}
        </ul>
      )}
      {unanswered === 0 ? null : <p className="quiet">{t('insights:lists.unanswered', { count: unanswered })}</p>}
    </Panel>
  );
}

function Listed({ listing }: { readonly listing: Schema<'ListingResponse'> }) {
  const { t } = useTranslation();
  const { subject, kind, list, codes, reason, seen_since: since, source } = listing;
  return (
    <li className={styles.step}>
      <Flex gap={12} align="center">
        <h3 className={styles.partTitle}>{subject}</h3>
        <StatusBadge tone="bad" icon={TriangleAlert} label={list} />
      </Flex>
      <p className={styles.evidence}>
        {codes.join(', ')}
        {reason === null ? null : ` · ${reason}`} · {t('insights:lists.since')} <Time at={since} />
      </p>
      <p className={styles.evidence}>
        {t(`insights:lists.fix.${kind === 'domain' ? 'domain' : 'address'}`)}{' '}
        <a href={source.url} target="_blank" rel="noreferrer">
          {source.title}
        </a>
      </p>
    </li>
  );
}
