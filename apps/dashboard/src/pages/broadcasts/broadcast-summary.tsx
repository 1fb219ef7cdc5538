import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { shortPercent } from '../../logic/axis';
import { leftOf, percentOf, waitOf } from '../../logic/broadcast-draft';
import { Facts, Figure, Figures, Panel } from '../../parts/panel';
import { Time } from '../../parts/time';
import type { Broadcast, BroadcastProgress } from './broadcast-queries';
import styles from './broadcasts.module.css';
import { SubjectResults } from './subject-results';

interface SummaryProps {
  readonly broadcast: Broadcast;
  readonly progress: BroadcastProgress;
}

const skips = ['unsubscribed', 'not_subscribed', 'suppressed', 'deleted', 'invalid'] as const;

/** How far it is, why it waits, and what became of the emails. */
export function BroadcastSummaryPanels({ broadcast, progress }: SummaryProps) {
  const { t, i18n } = useTranslation();
  const { counts } = progress;
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const share = (part: number, whole: number): string => percent.format(percentOf(part, whole) / 100);
  const skipped = skips.filter((reason) => counts[`skipped_${reason}`] > 0);
  return (
    <>
      <Progress broadcast={broadcast} progress={progress} />
      <div className={styles.counts}>
        <Figures>
          <Figure label={t('broadcasts:count.planned')} value={number.format(counts.planned)} />
          <Figure
            label={t('broadcasts:count.accepted')}
            value={number.format(counts.accepted)}
            note={share(counts.accepted, counts.planned)}
          />
          {(['delivered', 'bounced'] as const).map((name) => (
            <Figure
              key={name}
              label={t(`broadcasts:count.${name}`)}
              value={number.format(counts[name])}
              note={share(counts[name], counts.accepted)}
              tone={name === 'bounced' && percentOf(counts.bounced, counts.accepted) >= 5 ? 'bad' : undefined}
            />
          ))}
          {(['opened', 'clicked', 'unsubscribed', 'complained'] as const).map((name) => (
            <Figure
              key={name}
              label={t(`broadcasts:count.${name}`)}
              value={number.format(counts[name])}
              note={share(counts[name], counts.delivered)}
            />
          ))}
        </Figures>
      </div>
      {broadcast.subject_results === undefined ? null : <SubjectResults results={broadcast.subject_results} />}
      {skipped.length === 0 ? null : (
        <Panel title={t('broadcasts:skippedTitle')} text={t('broadcasts:skippedText')}>
          <Facts
            items={skipped.map((reason) => [
              t(`broadcasts:skip.${reason}`),
              <span key={reason} className="tabular">
                {number.format(counts[`skipped_${reason}`])}
              </span>,
            ])}
          />
        </Panel>
      )}
      <How broadcast={broadcast} progress={progress} />
    </>
  );
}

function Progress({ broadcast, progress }: SummaryProps) {
  const { t, i18n } = useTranslation();
  const { counts, paused_because: because, status } = progress;
  const number = new Intl.NumberFormat(i18n.language);
  const left = leftOf(counts);
  const wait = waitOf(status, counts, broadcast.options);
  const text =
    status === 'paused'
      ? t(`broadcasts:paused.${because ?? 'by_hand'}`, {
          defaultValue: t('broadcasts:paused.other', { reason: because }),
        })
      : wait === undefined
        ? undefined
        : t(`broadcasts:waits.${wait}`);
  const done = counts.accepted + counts.skipped;
  const width = (part: number): string => `${percentOf(part, Math.max(counts.planned, 1))}%`;
  return (
    <Panel
      title={t(`broadcasts:sentence.${status}`, {
        count: counts.planned,
        done: number.format(done),
        planned: number.format(counts.planned),
      })}
      text={text}
    >
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={t('broadcasts:progress')}
        aria-valuemin={0}
        aria-valuemax={Math.max(counts.planned, 1)}
        aria-valuenow={done}
      >
        <span data-part="accepted" style={{ width: width(counts.accepted) }} />
        <span data-part="skipped" style={{ width: width(counts.skipped) }} />
      </div>
      <p className={styles.legend}>
        {(
          [
            ['accepted', counts.accepted],
            ['skipped', counts.skipped],
            ['left', left],
          ] as const
        ).map(([part, value]) => (
          <span key={part} data-part={part}>
            {t(`broadcasts:legend.${part}`, { number: number.format(value) })}
          </span>
        ))}
        <Link to="/app/emails" search={{ broadcast_id: broadcast.id }} className={styles.trace}>
          <Info size={13} aria-hidden /> {t('broadcasts:toEmails')}
        </Link>
      </p>
    </Panel>
  );
}

/** To whom and how it was sent. */
function How({ broadcast, progress }: SummaryProps) {
  const { t, i18n } = useTranslation();
  const options = (broadcast.options ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | number>>;
  const { throttle_per_hour: pace, subject_test: test, first_share: share, local_time: local } = options;
  const at = (moment: string | null) => (moment === null ? null : <Time at={moment} form="exact" />);
  const subjects = typeof test === 'object' ? (test.subjects as readonly string[]) : [];
  const items = [
    [t('broadcasts:field.subject'), broadcast.subject],
    ...subjects.map((subject, index) => [t('broadcasts:triedSubject', { number: index + 2 }), subject]),
    [t('broadcasts:field.from'), broadcast.from],
    [t('broadcasts:beganAt'), at(progress.queued_at)],
    [t('broadcasts:endedAt'), at(progress.sent_at)],
    [
      t('broadcasts:option.throttle_per_hour'),
      typeof pace === 'number' ? new Intl.NumberFormat(i18n.language).format(pace) : null,
    ],
    [t('broadcasts:option.ways.first_share'), shownShare(share, i18n.language)],
    [t('broadcasts:option.ways.local_time'), typeof local === 'object' ? String(local.time_zone) : null],
  ] as const;
  return (
    <Panel title={t('broadcasts:how')}>
      <Facts items={items.filter(([, value]) => value !== null) as [string, string][]} />
    </Panel>
  );
}

function shownShare(share: unknown, language: string): string | null {
  if (typeof share !== 'object' || share === null) return null;
  const { percent, contacts } = share as { percent?: number; contacts?: number };
  return percent === undefined ? String(contacts) : shortPercent(percent, language);
}
