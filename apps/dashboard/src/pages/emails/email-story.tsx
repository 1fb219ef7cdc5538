import { Box } from '@mantine/core';
import { CalendarClock, Eye, Flag, Inbox, MousePointerClick, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shownEvents } from '../../logic/email-story';
import { parseTime } from '../../logic/moments';
import { EmailState } from '../../parts/email-state';
import { emailStates } from '../../parts/status-badge';
import { Attempt } from './attempt';
import styles from './email-story.module.css';
import type { Trace, TraceRecipient } from './email-queries';
import { Entry } from './entry';
import { Report } from './report';
import { Waiting } from './waiting';

/** Everything that happened, one recipient after the other. With several, only those with trouble are open. */
export function EmailStory({ trace }: { readonly trace: Trace }) {
  const { t } = useTranslation();
  const single = trace.recipients.length === 1;
  return (
    <section aria-label={t('emails:story.title')}>
      <Box component="h3" mb={14} fz={13} fw={600}>
        {t('emails:story.title')}
      </Box>
      {trace.recipients.map((recipient) => (
        <RecipientStory key={recipient.recipient} trace={trace} recipient={recipient} single={single} />
      ))}
    </section>
  );
}

interface RecipientStoryProps {
  readonly trace: Trace;
  readonly recipient: TraceRecipient;
  readonly single: boolean;
}

function RecipientStory({ trace, recipient, single }: RecipientStoryProps) {
  const hasTrouble = recipient.status !== 'delivered';
  const [opened, setOpened] = useState(single || hasTrouble);
  if (single) return <Timeline trace={trace} recipient={recipient} />;
  return (
    <details className={styles.recipient} open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <span className="cut">{recipient.recipient}</span>
        <EmailState state={recipient.status} plain />
      </summary>
      {opened ? <Timeline trace={trace} recipient={recipient} /> : null}
    </details>
  );
}

const icons: Readonly<Record<string, LucideIcon>> = {
  'email.opened': Eye,
  'email.clicked': MousePointerClick,
  'email.complained': Flag,
};

function Timeline({ trace, recipient }: Omit<RecipientStoryProps, 'single'>) {
  const { t } = useTranslation();
  const entries: { readonly at: string; readonly node: ReactNode }[] = [
    {
      at: trace.created_at,
      node: <Entry key="accepted" icon={Inbox} tone="flat" title={t('emails:story.accepted')} at={trace.created_at} />,
    },
    ...recipient.attempts.map((attempt) => ({
      at: attempt.started_at,
      node: <Attempt key={attempt.attempt} attempt={attempt} recipient={recipient.recipient} />,
    })),
    ...shownEvents(recipient).map((event) => {
      const state = event.type.replace('email.', '');
      const look = emailStates[state];
      return {
        at: event.created_at,
        node: (
          <Entry
            key={event.seq}
            icon={icons[event.type] ?? look?.icon ?? Inbox}
            tone={look?.tone ?? 'flat'}
            title={t(`emails:story.event.${state}`)}
            at={event.created_at}
          >
            {detailOf(event.data)}
          </Entry>
        ),
      };
    }),
    ...recipient.reports.map((report) => ({
      at: report.received_at,
      node: <Report key={report.received_at} report={report} />,
    })),
  ].sort((one, other) => parseTime(one.at).getTime() - parseTime(other.at).getTime());
  return (
    <ol className={styles.timeline}>
      {trace.scheduled_at === null || recipient.status === 'scheduled' ? null : (
        <Entry icon={CalendarClock} tone="info" title={t('emails:story.scheduledFor')} at={trace.scheduled_at} exact />
      )}
      {entries.map(({ node }) => node)}
      <Waiting recipient={recipient} scheduledAt={trace.scheduled_at} />
    </ol>
  );
}

/** What an event tells beside its name: the link that was clicked. */
function detailOf(data: Readonly<Record<string, unknown>> | null): string | null {
  const click = data?.click as { link?: unknown } | undefined;
  return typeof click?.link === 'string' ? click.link : null;
}
