import { Link } from '@tanstack/react-router';
import { CircleCheck, CirclePause, Gauge, OctagonPause, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { shortPercent } from '../../logic/axis';
import { unknownState, type StateLook } from '../../parts/status-badge';
import styles from './domain-insights.module.css';

type Evidence = Pick<Schema<'GuardStateResponse'>, 'rates' | 'replies' | 'cause'>;
type Cause = Schema<'GuardCauseResponse'>;

const looks: Readonly<Record<string, StateLook>> = {
  none: { tone: 'good', icon: CircleCheck },
  warned: { tone: 'wait', icon: TriangleAlert },
  bulk_slowed: { tone: 'wait', icon: Gauge },
  bulk_paused: { tone: 'bad', icon: CirclePause },
  all_slowed: { tone: 'bad', icon: Gauge },
  all_paused: { tone: 'bad', icon: OctagonPause },
};

/** How a step of the guard looks. */
export const stepLook = (step: string): StateLook => looks[step] ?? unknownState;

/** The rate that decided, the likely cause, and a reply of the hosts. */
export function GuardEvidence({ evidence }: { readonly evidence: Evidence }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const percent = (value: number): string => shortPercent(value, i18n.language);
  const rate = [...evidence.rates]
    .filter(({ limit_percent: limit }) => limit !== null)
    .sort((a, b) => b.at_least_percent / (b.limit_percent ?? 1) - a.at_least_percent / (a.limit_percent ?? 1))[0];
  const [reply] = evidence.replies;
  return (
    <>
      {rate === undefined ? null : (
        <p className={styles.evidence}>
          {t(`insights:guard.rate.${rate.id}`, {
            count: number.format(rate.count),
            of: number.format(rate.of),
            share: percent(rate.percent),
          })}{' '}
          {t('insights:guard.certain', {
            share: percent(rate.at_least_percent),
            limit: percent(rate.limit_percent ?? 0),
          })}
          {rate.earlier_percent === null
            ? null
            : ` ${t('insights:guard.earlier', { share: percent(rate.earlier_percent) })}`}
        </p>
      )}
      {evidence.cause === null ? null : <CauseLine cause={evidence.cause} />}
      {reply === undefined ? null : <code className={styles.reply}>{reply.reply}</code>}
    </>
  );
}

function CauseLine({ cause }: { readonly cause: Cause }) {
  const { t, i18n } = useTranslation();
  const values = {
    share: shortPercent(cause.percent, i18n.language, 1),
    others: shortPercent(cause.others_percent, i18n.language, 1),
  };
  return (
    <p className={styles.evidence}>
      {t(`insights:guard.cause.${cause.type}`)} <CauseLink cause={cause} />. {t('insights:guard.compared', values)}
    </p>
  );
}

function CauseLink({ cause: { type, id, name } }: { readonly cause: Cause }) {
  switch (type) {
    case 'broadcast':
      return (
        <Link to="/app/broadcasts/$broadcastId" params={{ broadcastId: id }}>
          {name}
        </Link>
      );
    case 'segment':
      return (
        <Link to="/app/segments/$segmentId" params={{ segmentId: id }}>
          {name}
        </Link>
      );
    case 'template':
      return (
        <Link to="/app/templates/$templateId" params={{ templateId: id }}>
          {name}
        </Link>
      );
    default:
      return <Link to="/app/imports">{name}</Link>;
  }
}
