import { Send, Trophy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { percentOf } from '../../logic/broadcast-draft';
import { subjectVerdict } from '../../logic/subject-verdict';
import { Panel } from '../../parts/panel';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import styles from './broadcasts.module.css';

type Subject = Schema<'SubjectResultResponse'> & { readonly index: number };

/** What became of each subject of a test, which has won and by what. */
export function SubjectResults({ results }: { readonly results: Schema<'SubjectResultsResponse'> }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const { winner } = results;
  const verdict = subjectVerdict(results);
  const sentence = t(`broadcasts:subjects.${verdict}`);
  const best = {
    opened: Math.max(...results.subjects.map((subject) => percentOf(subject.opened, subject.delivered))),
    clicked: Math.max(...results.subjects.map((subject) => percentOf(subject.clicked, subject.delivered))),
  };
  return (
    <Panel
      title={t('broadcasts:subjects.title')}
      text={
        winner === null ? (
          sentence
        ) : (
          <>
            {sentence}
            {winner.chosen_at === null ? null : (
              <>
                {' · '}
                <Time at={winner.chosen_at} />
              </>
            )}
          </>
        )
      }
      flush
    >
      <Table<Subject>
        label={t('broadcasts:subjects.title')}
        rows={results.subjects.map((subject, index) => ({ ...subject, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          {
            id: 'subject',
            label: t('broadcasts:subject'),
            cell: ({ subject, index }) => (
              <span className={styles.tried}>
                <span>{subject}</span>
                {winner?.index === index ? <Chosen hasWon={verdict.startsWith('wonBy')} /> : null}
              </span>
            ),
          },
          ...(['sent', 'delivered'] as const).map((name) => ({
            id: name,
            label: t(`broadcasts:kind.${name}`),
            align: 'end' as const,
            cell: (row: Subject) => number.format(row[name]),
          })),
          ...(['opened', 'clicked'] as const).map((name) => ({
            id: name,
            label: t(`broadcasts:kind.${name}`),
            align: 'end' as const,
            cell: (row: Subject) => {
              const share = percentOf(row[name], row.delivered);
              return (
                <span className={styles.share} data-best={(share > 0 && share === best[name]) || undefined}>
                  <span>{percent.format(share / 100)}</span>
                  <span className="quiet">{number.format(row[name])}</span>
                </span>
              );
            },
          })),
          {
            id: 'unsubscribed',
            label: t('broadcasts:kind.unsubscribed'),
            align: 'end',
            cell: (row) => number.format(row.unsubscribed),
          },
        ]}
      />
    </Panel>
  );
}

/** The subject that went to the rest: by the verdict of the readers, or for want of one. */
function Chosen({ hasWon }: { readonly hasWon: boolean }) {
  const { t } = useTranslation();
  return hasWon ? (
    <StatusBadge tone="good" icon={Trophy} label={t('broadcasts:subjects.winner')} />
  ) : (
    <StatusBadge tone="flat" icon={Send} label={t('broadcasts:subjects.rest')} />
  );
}
