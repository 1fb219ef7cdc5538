import { Box, Button, Flex, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, Check, Globe, KeyRound } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useLive } from '../../api/live';
import { queryClient } from '../../api/query-client';
import { useMay } from '../../api/session';
import { Alert } from '../../parts/alert';
import { CopyButton } from '../../parts/copy-button';
import { EmailState } from '../../parts/email-state';
import { Page } from '../../parts/page';
import { EmailSentence } from '../emails/email-sentence';
import { traceQuery } from '../emails/email-queries';
import { EmailStory } from '../emails/email-story';
import styles from './first-minutes.module.css';
import { newestQuery } from './newest-query';
import { SendStep } from './send-step';

/** From nothing to a delivered email on screen: a key, a request, and what becomes of it. */
export function FirstMinutesPage() {
  const { t } = useTranslation();
  const [token, setToken] = useState<string>();
  const newest = useQuery(newestQuery);
  useLive(({ type }) => {
    if (type !== 'events') void queryClient.invalidateQueries({ queryKey: newestQuery.queryKey });
  });
  const email = newest.data?.data[0];
  const hasEmail = email !== undefined;
  return (
    <Page
      title={t('start:title')}
      scroll
      actions={
        hasEmail ? (
          <Button component={Link} to="/app/emails" variant="default">
            {t('start:allEmails')}
          </Button>
        ) : null
      }
    >
      <div className={styles.page}>
        <p className={styles.intro}>{t('start:intro')}</p>
        <ol className={styles.steps}>
          <Step
            number={1}
            title={t('start:key.title')}
            text={t('start:key.text')}
            done={token !== undefined || hasEmail}
          >
            <KeyStep token={token} setToken={setToken} isDone={hasEmail} />
          </Step>
          <Step number={2} title={t('start:send.title')} text={t('start:send.text')} done={hasEmail}>
            <SendStep token={token} />
          </Step>
          <Step
            number={3}
            title={t('start:watch.title')}
            text={hasEmail ? undefined : t('start:watch.text')}
            done={email?.last_event === 'delivered'}
          >
            {email === undefined ? (
              <Listening />
            ) : (
              <Arrived id={email.id} subject={email.subject} state={email.last_event} />
            )}
          </Step>
        </ol>
        {hasEmail ? <OwnDomain /> : null}
      </div>
    </Page>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly text: string | undefined;
  readonly done: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, text, done, children }: StepProps) {
  const { t } = useTranslation();
  return (
    <li className={styles.step} data-done={done || undefined}>
      <span className={styles.number}>
        {done ? <Check size={14} strokeWidth={2.6} aria-hidden /> : number}
        {done ? <span className="visually-hidden">{t('start:done')}</span> : null}
      </span>
      <Stack gap={4} align="flex-start" miw={0} pt={4}>
        <Box component="h2" fz={15} fw={600}>
          {title}
        </Box>
        {text === undefined ? null : <p className={styles.text}>{text}</p>}
        {children}
      </Stack>
    </li>
  );
}

interface KeyStepProps {
  readonly token: string | undefined;
  readonly setToken: (token: string) => void;
  readonly isDone: boolean;
}

function KeyStep({ token, setToken, isDone }: KeyStepProps) {
  const { t } = useTranslation();
  const may = useMay('api-keys:write');
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const create = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      const body = { name: t('start:key.name'), permission: 'full_access' as const };
      setToken((await answer(api.POST('/api-keys', { body }))).token);
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  if (!may) return <p className="quiet">{t('start:key.mayNot')}</p>;
  if (token !== undefined) {
    return (
      <div className={styles.token}>
        <code className="cut">{token}</code>
        <CopyButton value={token} label={t('start:key.copy')} />
        <span className="quiet">{t('start:key.once')}</span>
      </div>
    );
  }
  return (
    <>
      <Alert error={error} />
      <Button
        variant={isDone ? 'default' : 'filled'}
        leftSection={<KeyRound size={14} aria-hidden />}
        loading={running}
        onClick={() => void create()}
      >
        {t('start:key.create')}
      </Button>
    </>
  );
}

function Listening() {
  const { t } = useTranslation();
  return (
    <Flex component="p" gap={12} align="center" c="var(--text-3)" role="status">
      <span className={styles.pulse} aria-hidden />
      {t('start:watch.listening')}
    </Flex>
  );
}

function Arrived({ id, subject, state }: { readonly id: string; readonly subject: string; readonly state: string }) {
  const { t } = useTranslation();
  const trace = useQuery(traceQuery(id));
  useLive(({ type }) => {
    if (type !== 'events') void queryClient.invalidateQueries({ queryKey: ['email', id] });
  });
  return (
    <div className={styles.arrived}>
      <Flex gap={10} align="center" fw={600}>
        <span className="cut">{subject}</span>
        <EmailState state={state} />
        <Link to={`/app/emails/${id}`} className={styles.open}>
          {t('start:watch.open')} <ArrowRight size={13} aria-hidden />
        </Link>
      </Flex>
      {trace.data === undefined ? null : (
        <>
          <Box mt={6} mx={0} mb={18} c="var(--text-2)" aria-live="polite">
            <EmailSentence trace={trace.data} />
          </Box>
          <EmailStory trace={trace.data} />
        </>
      )}
    </div>
  );
}

function OwnDomain() {
  const { t } = useTranslation();
  return (
    <section className={styles.next}>
      <span className={styles.nextIcon}>
        <Globe size={18} aria-hidden />
      </span>
      <div>
        <Box component="h2" fz={15} fw={600}>
          {t('start:domain.title')}
        </Box>
        <p className={styles.text}>{t('start:domain.text')}</p>
      </div>
      <Button component={Link} to="/app/domains" rightSection={<ArrowRight size={14} aria-hidden />}>
        {t('start:domain.action')}
      </Button>
    </section>
  );
}
