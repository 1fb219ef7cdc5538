import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useLive } from '../../api/live';
import { queryClient } from '../../api/query-client';
import { DetailPane } from '../../detail/detail-pane';
import { EmailState } from '../../parts/email-state';
import { usePathValues } from '../../parts/location';
import { ErrorState } from '../../parts/states';
import { EmailActions } from './email-actions';
import styles from './email-detail.module.css';
import { EmailPreview } from './email-preview';
import { emailQuery, traceQuery, type EmailSummary } from './email-queries';
import { EmailStory } from './email-story';
import { EmailSentence } from './email-sentence';
import { Envelope } from './envelope';

/** An email: what it looks like at the left, what became of it at the right, and its state in a sentence above both. */
export function EmailDetail() {
  const { t } = useTranslation();
  const { emailId: id = '' } = usePathValues();
  const navigate = useNavigate();
  const email = useQuery(emailQuery(id));
  const trace = useQuery(traceQuery(id));
  useLive(({ type, data }) => {
    const isMine = type === 'emails' && (data.emails as readonly EmailSummary[]).some((each) => each.id === id);
    if (isMine || type === 'reload' || type === 'changed')
      void queryClient.invalidateQueries({ queryKey: ['email', id] });
  });
  const close = (): void => void navigate({ to: '..', search: (known: object) => known });
  const { data } = email;
  if (email.error !== null && data === undefined) {
    return (
      <DetailPane title={t('emails:detail.email')} close={close}>
        <ErrorState error={email.error} retry={() => void email.refetch()} />
      </DetailPane>
    );
  }
  return (
    <DetailPane
      key={id}
      title={data === undefined ? t('emails:detail.email') : data.subject || t('emails:noSubject')}
      badge={data === undefined ? null : <EmailState state={data.last_event} />}
      actions={data === undefined ? null : <EmailActions email={data} />}
      close={close}
    >
      <div className={styles.body}>
        <div className={styles.sentence} aria-live="polite">
          {trace.data === undefined ? <Skeleton height={14} width={360} /> : <EmailSentence trace={trace.data} />}
        </div>
        <div className={styles.columns}>
          <Stack gap={0} miw={0} mih={560}>
            {data === undefined ? (
              <Skeleton height={120} />
            ) : (
              <>
                <Envelope email={data} />
                <EmailPreview email={data} />
              </>
            )}
          </Stack>
          <div className={styles.story}>
            {trace.data === undefined ? (
              trace.error === null ? (
                <Skeleton height={160} />
              ) : (
                <ErrorState error={trace.error} retry={() => void trace.refetch()} />
              )
            ) : (
              <EmailStory trace={trace.data} />
            )}
          </div>
        </div>
      </div>
    </DetailPane>
  );
}
